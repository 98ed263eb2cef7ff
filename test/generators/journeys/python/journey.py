import json
import sys

from client import AuthenticatedClient
from client.api.contacts import create_contact, delete_contact
from client.api.messages import send_email_message
from client.api.products import create_product
from client.api.templates import create_template, get_template, list_templates
from client.models import (
    ContactAnswer,
    ContactToCreate,
    EmailAnswer,
    EmailMessage,
    EmailMessageChannel,
    ProductCreatedAnswer,
    ProductToCreate,
    Refusal,
    TemplateCategory,
    TemplateCreatedAnswer,
    TemplateListAnswer,
    TemplateStatus,
    TemplateType,
    WhatsappTemplateToCreate,
    WhatsappTemplateFormTemplateType,
)

base_url, key = sys.argv[1:]
crm = AuthenticatedClient(base_url=base_url, token=key, prefix="", auth_header_name="x-api-key")

contact = create_contact.sync(
    client=crm,
    body=ContactToCreate(first_name="Ada", last_name="Lovelace", email="ada@clients.example.com"),
)
assert isinstance(contact, ContactAnswer)
contact_id: str = contact.data.field_id

email = send_email_message.sync(
    client=crm,
    body=EmailMessage(
        channel=EmailMessageChannel.EMAIL,
        subject="Hello",
        content="<p>Hello</p>",
        provider_id="email-provider",
        to="ada@clients.example.com",
    ),
    idempotency_key="journey-1",
)
assert isinstance(email, EmailAnswer)

template = create_template.sync(
    client=crm,
    body=WhatsappTemplateToCreate(
        template_type=WhatsappTemplateFormTemplateType.WHATSAPP,
        name="Order is ready",
        unique_name="order_is_ready",
        content="Your order {{1}} is ready",
        category=TemplateCategory.UTILITY,
        language="en_US",
        provider="whatsapp-provider",
    ),
)
assert isinstance(template, TemplateCreatedAnswer)

templates = list_templates.sync(
    client=crm,
    page=1,
    limit=10,
    types=[TemplateType.WHATSAPP],
    statuses=[TemplateStatus.PENDING, TemplateStatus.APPROVED],
)
assert isinstance(templates, TemplateListAnswer)

product = create_product.sync(client=crm, body=ProductToCreate(name="Engine", unit_price=12345678.91))
assert isinstance(product, ProductCreatedAnswer)

deleted = delete_contact.sync(contact_id, client=crm)
assert isinstance(deleted, ContactAnswer)

refused = get_template.sync("unknown", client=crm)
assert isinstance(refused, Refusal)

subject: str = email.data.subject
total: int = templates.pagination.total_results
price: float = product.data.unit_price
print(
    json.dumps(
        {
            "contact": contact.data.first_name,
            "email": subject,
            "template": template.data.status.value,
            "templates": total,
            "price": price,
            "deleted": deleted.data.field_id == contact_id,
            "refused": refused.message,
        }
    )
)


def must_not_pass_the_type_checker() -> None:
    ContactToCreate(first_name="Ada")  # type: ignore[call-arg]
    ContactAnswer(success=True)  # type: ignore[call-arg]
