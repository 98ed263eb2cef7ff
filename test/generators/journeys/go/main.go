package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"journey/crm"
)

func main() {
	configuration := crm.NewConfiguration() // the address is that of the document
	configuration.AddDefaultHeader("x-api-key", os.Args[2])
	client, ctx := crm.NewAPIClient(configuration), context.Background()

	ada := crm.NewContactToCreate("Ada", "Lovelace")
	ada.SetEmail("ada@clients.example.com")
	contact := must(first(client.ContactsAPI.CreateContact(ctx).ContactToCreate(*ada).Execute()))
	var contactId string = contact.Data.Id

	hello := crm.NewEmailMessage("email", "Hello", "<p>Hello</p>", "email-provider")
	hello.SetTo("ada@clients.example.com")
	email := must(first(client.MessagesAPI.SendEmailMessage(ctx).EmailMessage(*hello).IdempotencyKey("journey-1").Execute()))

	ready := crm.NewWhatsappTemplateToCreate("Order is ready", "order_is_ready", "Your order {{1}} is ready",
		crm.UTILITY, "en_US", "whatsapp-provider", "whatsapp")
	template := must(first(client.TemplatesAPI.CreateTemplate(ctx).
		TemplateToCreate(crm.WhatsappTemplateToCreateAsTemplateToCreate(ready)).Execute()))
	templates := must(first(client.TemplatesAPI.ListTemplates(ctx).Page(1).Limit(10).
		Types([]crm.TemplateType{crm.WHATSAPP}).
		Statuses([]crm.TemplateStatus{crm.PENDING, crm.APPROVED}).Execute()))

	product := must(first(client.ProductsAPI.CreateProduct(ctx).
		ProductToCreate(*crm.NewProductToCreate("Engine", 12345678.91)).Execute()))
	deleted := must(first(client.ContactsAPI.DeleteContact(ctx, contactId).Execute()))

	var subject string = email.Data.Subject
	var total int32 = templates.Pagination.TotalResults
	var price float64 = product.Data.UnitPrice
	_, err := first(client.TemplatesAPI.GetTemplate(ctx, "unknown").Execute())
	told := must(json.Marshal(map[string]any{
		"contact":   contact.Data.FirstName,
		"email":     subject,
		"template":  template.Data.Status,
		"templates": total,
		"price":     price,
		"deleted":   deleted.Data.Id == contactId,
		"refused":   refusalIn(err).Message,
	}))
	fmt.Println(string(told))

	if json.Unmarshal([]byte(`{"success":true}`), &crm.ContactAnswer{}) == nil {
		panic("a response without data was read")
	}
}

func first[Answer, Response any](answer Answer, _ Response, err error) (Answer, error) {
	return answer, err
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func refusalIn(err error) crm.Refusal {
	var refused *crm.GenericOpenAPIError
	if !errors.As(err, &refused) {
		panic(err)
	}
	return refused.Model().(crm.Refusal)
}
