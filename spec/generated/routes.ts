// Written by `npm run spec:build` from spec/*.yaml: change those.

export interface Routes {
  /** Find or create a conversation by phone number or e-mail address */
  findOrCreateConversation: 'POST /api/conversations/getConversationByPhoneAndEmail'
  /** Create a contact if it does not exist, then its conversation */
  createContactWithConversation: 'POST /api/contacts/create-new-conversation'
  /** Create the conversation of a contact */
  createConversation: 'POST /api/conversations'
  /** Get a conversation */
  getConversation: 'GET /api/conversations/{conversationId}'
  /** List the conversations of a contact */
  listConversationsOfContact: 'GET /api/conversations/getAllConversationsOfContact/{contactId}'
  /** Read the history of a conversation */
  listMessages: 'GET /api/messages/{conversationId}?'
  /** Send a live chat message */
  sendLiveMessage: 'POST /api/messages/sendLiveMessage'
  /** Send an e-mail */
  sendEmailMessage: 'POST /api/messages/sendEmailMessage'
  /** Send an SMS or a WhatsApp message */
  sendMessage: 'POST /api/messages/sendMessage'
  /** Queue a bulk send */
  sendBulkMessages: 'POST /api/messages/sendBulkNewMessages'
  /** List templates */
  listTemplates: 'GET /api/templates?'
  /** Create a template */
  createTemplate: 'POST /api/templates'
  /** Get a template */
  getTemplate: 'GET /api/templates/{templateId}'
  /** Update a template */
  updateTemplate: 'PUT /api/templates/{templateId}'
  /** Delete a template */
  deleteTemplate: 'DELETE /api/templates/{templateId}'
  /** Create a contact */
  createContact: 'POST /api/contacts'
  /** Update a contact */
  updateContact: 'PUT /api/contacts/{contactId}'
  /** Delete a contact */
  deleteContact: 'DELETE /api/contacts/{contactId}'
  /** Create or update a contact */
  createOrUpdateContact: 'POST /api/contacts/createOrUpdateContact'
  /** Delete every contact with an e-mail address */
  deleteContactsByEmail: 'DELETE /api/contacts/deleteContactsByEmail?'
  /** Create a company */
  createCompany: 'POST /api/companies/create'
  /** Update a company */
  updateCompany: 'PUT /api/companies/edit/{companyId}'
  /** Delete a company */
  deleteCompany: 'DELETE /api/companies/delete/{companyId}'
  /** Create a product */
  createProduct: 'POST /api/products'
  /** Update a product */
  updateProduct: 'PUT /api/products/{productId}'
  /** Delete a product */
  deleteProduct: 'DELETE /api/products/{productId}'
  /** Create a deal */
  createDeal: 'POST /api/deals/create'
  /** Update a deal */
  updateDeal: 'PUT /api/deals/edit/{dealId}'
  /** Delete a deal */
  deleteDeal: 'DELETE /api/deals/delete/{dealId}'
  /** Create a quote from a deal */
  createQuote: 'POST /api/quotes'
  /** Update a quote */
  updateQuote: 'PUT /api/quotes/{quoteId}'
  /** Delete a quote */
  deleteQuote: 'DELETE /api/quotes/{quoteId}'
}

export const routes: Routes = {
  findOrCreateConversation: 'POST /api/conversations/getConversationByPhoneAndEmail',
  createContactWithConversation: 'POST /api/contacts/create-new-conversation',
  createConversation: 'POST /api/conversations',
  getConversation: 'GET /api/conversations/{conversationId}',
  listConversationsOfContact: 'GET /api/conversations/getAllConversationsOfContact/{contactId}',
  listMessages: 'GET /api/messages/{conversationId}?',
  sendLiveMessage: 'POST /api/messages/sendLiveMessage',
  sendEmailMessage: 'POST /api/messages/sendEmailMessage',
  sendMessage: 'POST /api/messages/sendMessage',
  sendBulkMessages: 'POST /api/messages/sendBulkNewMessages',
  listTemplates: 'GET /api/templates?',
  createTemplate: 'POST /api/templates',
  getTemplate: 'GET /api/templates/{templateId}',
  updateTemplate: 'PUT /api/templates/{templateId}',
  deleteTemplate: 'DELETE /api/templates/{templateId}',
  createContact: 'POST /api/contacts',
  updateContact: 'PUT /api/contacts/{contactId}',
  deleteContact: 'DELETE /api/contacts/{contactId}',
  createOrUpdateContact: 'POST /api/contacts/createOrUpdateContact',
  deleteContactsByEmail: 'DELETE /api/contacts/deleteContactsByEmail?',
  createCompany: 'POST /api/companies/create',
  updateCompany: 'PUT /api/companies/edit/{companyId}',
  deleteCompany: 'DELETE /api/companies/delete/{companyId}',
  createProduct: 'POST /api/products',
  updateProduct: 'PUT /api/products/{productId}',
  deleteProduct: 'DELETE /api/products/{productId}',
  createDeal: 'POST /api/deals/create',
  updateDeal: 'PUT /api/deals/edit/{dealId}',
  deleteDeal: 'DELETE /api/deals/delete/{dealId}',
  createQuote: 'POST /api/quotes',
  updateQuote: 'PUT /api/quotes/{quoteId}',
  deleteQuote: 'DELETE /api/quotes/{quoteId}',
}
