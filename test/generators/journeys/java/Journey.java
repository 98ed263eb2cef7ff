import com.google.gson.JsonObject;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.Configuration;
import org.openapitools.client.JSON;
import org.openapitools.client.api.ContactsApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.ProductsApi;
import org.openapitools.client.api.TemplatesApi;
import org.openapitools.client.model.*;

public class Journey {
  public static void main(String[] args) throws Exception {
    ApiClient crm = Configuration.getDefaultApiClient(); // the address is that of the document
    crm.addDefaultHeader("x-api-key", args[1]);
    ContactsApi contacts = new ContactsApi(crm);
    TemplatesApi templates = new TemplatesApi(crm);

    ContactToCreate ada = new ContactToCreate().firstName("Ada").lastName("Lovelace").email("ada@clients.example.com");
    Contact contact = contacts.createContact(ada, null).getData();
    String contactId = contact.getId();

    EmailMessage hello = new EmailMessage()
      .channel(EmailMessage.ChannelEnum.EMAIL)
      .subject("Hello")
      .content("<p>Hello</p>")
      .providerId("email-provider")
      .to("ada@clients.example.com");
    EmailSent email = new MessagesApi(crm).sendEmailMessage(hello, "journey-1").getData();

    WhatsappTemplateToCreate ready = new WhatsappTemplateToCreate()
      .templateType(WhatsappTemplateToCreate.TemplateTypeEnum.WHATSAPP)
      .name("Order is ready")
      .uniqueName("order_is_ready")
      .content("Your order {{1}} is ready")
      .category(TemplateCategory.UTILITY)
      .language("en_US")
      .provider("whatsapp-provider");
    TemplateCreated template = templates.createTemplate(new TemplateToCreate(ready), null).getData();
    TemplateListAnswer list = templates.listTemplates(
      1,
      10,
      List.of(TemplateType.WHATSAPP),
      List.of(TemplateStatus.PENDING, TemplateStatus.APPROVED)
    );

    Product product = new ProductsApi(crm)
      .createProduct(new ProductToCreate().name("Engine").unitPrice(12345678.91), null)
      .getData();
    Contact deleted = contacts.deleteContact(contactId).getData();

    JsonObject told = new JsonObject();
    told.addProperty("contact", contact.getFirstName());
    told.addProperty("email", email.getSubject());
    told.addProperty("template", template.getStatus().getValue());
    told.addProperty("templates", list.getPagination().getTotalResults());
    told.addProperty("price", product.getUnitPrice());
    told.addProperty("deleted", deleted.getId().equals(contactId));
    told.addProperty("refused", refusalOf(() -> templates.getTemplate("unknown")).getMessage());
    System.out.println(told);

    mustNotBeRead("{\"success\":true}");
  }

  private interface Call {
    void send() throws ApiException;
  }

  private static Refusal refusalOf(Call call) {
    try {
      call.send();
    } catch (ApiException refused) {
      return JSON.deserialize(refused.getResponseBody(), Refusal.class);
    }
    throw new AssertionError("was not refused");
  }

  private static void mustNotBeRead(String responseWithoutData) {
    try {
      JSON.deserialize(responseWithoutData, ContactAnswer.class);
    } catch (IllegalArgumentException missing) {
      return;
    }
    throw new AssertionError("a response without data was read");
  }
}
