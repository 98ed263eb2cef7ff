// Written by `npm run spec:build` from spec/*.yaml: change those.

export interface paths {
    "/api/conversations/getConversationByPhoneAndEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find or create a conversation by phone number or e-mail address
         * @description Creates the contact and the conversation if they do not exist. One of the two addresses may be omitted. Unlisted fields are refused.
         */
        post: operations["findOrCreateConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/create-new-conversation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a contact if it does not exist, then its conversation
         * @description Reuses the existing contact and conversation if the phone number or the e-mail address matches. At least one of the two is recommended.
         */
        post: operations["createContactWithConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create the conversation of a contact
         * @description Returns 201 with the new conversation, or 200 with the existing one if the contact already has one.
         */
        post: operations["createConversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/{conversationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the conversation.
                 * @example 66f0a1b2c3d4e5f601235001
                 */
                conversationId: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description Returns one conversation with its contact.
         */
        get: operations["getConversation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/conversations/getAllConversationsOfContact/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example 66f0a1b2c3d4e5f601234567
                 */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * List the conversations of a contact
         * @description Returns all conversations of one contact.
         */
        get: operations["listConversationsOfContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/{conversationId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the conversation.
                 * @example 66f0a1b2c3d4e5f601235001
                 */
                conversationId: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        /**
         * Read the history of a conversation
         * @description Returns a page of messages, grouped by date.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/sendLiveMessage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a live chat message
         * @description Sends in a conversation, or to a contact or a phone number whose conversation is found or created. Unlisted fields are refused.
         */
        post: operations["sendLiveMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/sendEmailMessage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an e-mail
         * @description Sends in a conversation to the contacts in recipientIds, or standalone to an address, to contacts, or both. Unlisted fields are refused.
         */
        post: operations["sendEmailMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/sendMessage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an SMS or a WhatsApp message
         * @description Sends in a conversation, to a phone number, or to a contact. A WhatsApp message can be an approved template with its parameters. Unlisted fields are refused.
         */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/messages/sendBulkNewMessages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Queue a bulk send
         * @description Queues an e-mail, SMS or WhatsApp message to each address in a comma-separated list, now or at a later time. The response has no data. Unlisted fields are refused.
         */
        post: operations["sendBulkMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates
         * @description An agent sees their own templates, an admin all templates of the team.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description The templateType selects the variant. A WhatsApp template is submitted to the messaging platform. It can be sent as multipart/form-data with a media file for its header.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{templateId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the template.
                 * @example 66f0a1b2c3d4e5f601237001
                 */
                templateId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        /**
         * Get a template
         * @description Returns one template.
         */
        get: operations["getTemplate"];
        /**
         * Update a template
         * @description Updates the fields that are sent. WhatsApp templates are synchronised to the messaging platform.
         */
        put: operations["updateTemplate"];
        post?: never;
        /**
         * Delete a template
         * @description Deletes the template. A WhatsApp template is also removed from the messaging platform, when applicable.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a contact
         * @description Creates a contact in the team of the caller.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example 66f0a1b2c3d4e5f601234567
                 */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a contact
         * @description Updates the fields that are sent. All fields are optional.
         */
        put: operations["updateContact"];
        post?: never;
        /**
         * Delete a contact
         * @description Deletes the contact and its associated data, and returns the deleted contact.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/createOrUpdateContact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create or update a contact
         * @description Finds the contact by e-mail and phone, and creates it if there is none. The body must be sent as `application/json`, not as `text/plain`.
         */
        post: operations["createOrUpdateContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/contacts/deleteContactsByEmail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete every contact with an e-mail address
         * @description Deletes all matching contacts and their associated data. The message states how many were deleted.
         */
        delete: operations["deleteContactsByEmail"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a company
         * @description Creates a company in the team of the caller.
         */
        post: operations["createCompany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/edit/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the company.
                 * @example 66f0a1b2c3d4e5f601230001
                 */
                companyId: components["parameters"]["CompanyId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a company
         * @description Updates the fields that are sent. All fields are optional.
         */
        put: operations["updateCompany"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/companies/delete/{companyId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the company.
                 * @example 66f0a1b2c3d4e5f601230001
                 */
                companyId: components["parameters"]["CompanyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a company
         * @description Deletes the company.
         */
        delete: operations["deleteCompany"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a product
         * @description Creates a product in the team of the caller.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the product.
                 * @example 66f0a1b2c3d4e5f601232001
                 */
                productId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a product
         * @description Updates the fields that are sent. All fields are optional.
         */
        put: operations["updateProduct"];
        post?: never;
        /**
         * Delete a product
         * @description Deletes the product.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deals/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a deal
         * @description Creates a deal in the team of the caller. Success is 200, not 201.
         */
        post: operations["createDeal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deals/edit/{dealId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the deal.
                 * @example 66f0a1b2c3d4e5f601231001
                 */
                dealId: components["parameters"]["DealId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a deal
         * @description Updates the fields that are sent. All fields are optional.
         */
        put: operations["updateDeal"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deals/delete/{dealId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the deal.
                 * @example 66f0a1b2c3d4e5f601231001
                 */
                dealId: components["parameters"]["DealId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a deal
         * @description Deletes the deal and its associated data.
         */
        delete: operations["deleteDeal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a quote from a deal
         * @description Creates a quote from a deal. A new quote is a draft.
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quotes/{quoteId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the quote.
                 * @example 66f0a1b2c3d4e5f601238001
                 */
                quoteId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Update a quote
         * @description Updates the fields that are sent, including the status. All fields are optional.
         */
        put: operations["updateQuote"];
        post?: never;
        /**
         * Delete a quote
         * @description Deletes the quote.
         */
        delete: operations["deleteQuote"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Custom fields, by key.
         * @example {
         *       "favouriteColour": "teal"
         *     }
         */
        AdditionalFields: {
            [key: string]: unknown;
        };
        Addresses: {
            email?: components["schemas"]["EmailAddress"];
            phone?: components["schemas"]["PhoneNumber"];
        };
        /** @description The envelope of a successful response. Some handlers omit envelope fields, so none is required. */
        Answer: {
            /**
             * @description True on success.
             * @constant
             */
            success?: true;
            /** @description A text for people. */
            message?: string;
            /** @description Part of the target envelope; some handlers omit it. */
            meta?: unknown;
        };
        /** @description Attachments. Their shape is not documented here. */
        Attachables: {
            [key: string]: unknown;
        }[];
        Attachment: {
            fileName?: string;
            /**
             * @description The size as text for people.
             * @example 12 KB
             */
            fileSize?: string;
            mimeType?: string;
            /** @description A public HTTPS URL that the service can reach. */
            mediaUrl?: string;
            /** @enum {string} */
            mediaType?: "image" | "video" | "audio" | "file" | "";
        };
        Attachments: components["schemas"]["Attachment"][];
        /**
         * @description Two lists are documented, with two spellings of the one-time value. The values of both are accepted.
         * @enum {string}
         */
        BillingFrequency: "one_time" | "one-time" | "weekly" | "every-two-weeks" | "monthly" | "quarterly" | "semi-annually" | "annually" | "every-two-years" | "every-three-years" | "every-four-years" | "every-five-years";
        BulkMessage: {
            /** @description E-mail addresses or phone numbers, separated by commas. */
            to: string;
            /** @enum {string} */
            channel: "email" | "sms" | "whatsapp";
            /** @description The text; may contain merge fields. */
            content: string;
            /** @description The id, phone number or e-mail address of a provider of the same channel. */
            providerId: string;
            /** @description Required for e-mail. */
            subject?: string;
            /** @description For e-mail only. */
            preheader?: string;
            mediaUrl?: components["schemas"]["MediaUrl"];
            mediaType?: components["schemas"]["MediaType"];
            source?: components["schemas"]["Source"];
            attachments?: components["schemas"]["Attachables"];
            /** @enum {string} */
            scheduleType?: "now" | "scheduled";
            /** @description The time of a scheduled send. The format of the two strings is not documented. */
            scheduleTime?: {
                date?: string;
                time?: string;
            };
            /** @description The id of a template. */
            templateId?: string;
            headerParameters?: components["schemas"]["TemplateParameters"];
            bodyParameters?: components["schemas"]["TemplateParameters"];
        };
        /** @description Quick-reply, URL or phone buttons, in the format of the messaging platform. */
        Buttons: {
            [key: string]: unknown;
        }[];
        Company: {
            _id: components["schemas"]["Id"];
            /** @description The team that owns the company. */
            teamId: string;
        } & WithRequired<components["schemas"]["CompanyFields"], "name">;
        CompanyFields: {
            name?: string;
            domain?: string;
            industry?: string;
            email?: string;
            phone?: string;
            phoneNumber?: string;
            logoUrl?: string;
            address?: string;
            city?: string;
            state?: string;
            zip?: string;
            postalCode?: string;
            country?: string;
            employeeCount?: number;
            annualRevenue?: number;
            /** @description The ids of contacts. */
            contacts?: string[];
            additionalFields?: components["schemas"]["AdditionalFields"];
        };
        Contact: {
            _id: components["schemas"]["Id"];
            /** @description The status of the contact. Named values: open, in-progress, closed. */
            status?: string;
            groupIds?: components["schemas"]["GroupIds"];
            /** @description The id of a company, set by an update. */
            company?: string;
            /** @description The team that owns the contact. */
            teamId: string;
            createdAt: components["schemas"]["Timestamp"];
            updatedAt: components["schemas"]["Timestamp"];
        } & WithRequired<components["schemas"]["ContactFields"], "firstName" | "lastName">;
        ContactAnswer: {
            data: components["schemas"]["Contact"];
        } & components["schemas"]["Answer"];
        ContactFields: {
            firstName?: string;
            lastName?: string;
            email?: string;
            /** @description E.164 format is recommended. */
            phone?: string;
            /** @description Where the lead came from. */
            source?: string;
            lifecycleStage?: components["schemas"]["LifecycleStage"];
            additionalFields?: components["schemas"]["AdditionalFields"];
        };
        /** @description The populated contact, not only its id. */
        ContactOfConversation: {
            _id: components["schemas"]["Id"];
            name: string;
            email?: string;
            phoneNumber?: string;
        };
        /**
         * @description The status of the contact.
         * @enum {string}
         */
        ContactStatus: "open" | "in-progress" | "closed";
        /** @description The contact to send to. */
        ContactTarget: string;
        ContactUpdate: {
            status?: components["schemas"]["ContactStatus"];
            groupIds?: components["schemas"]["GroupIds"];
            /** @description The id of a company. */
            company?: string;
        } & components["schemas"]["ContactFields"];
        ContactUpsert: {
            /** @description The status of the contact. Here it is documented as a string, without a list of values. */
            status?: string;
        } & WithRequired<components["schemas"]["ContactFields"], "firstName" | "lastName">;
        Conversation: {
            _id: components["schemas"]["Id"];
            /** @description The team that owns the conversation. */
            teamId: string;
            contactId: components["schemas"]["ContactOfConversation"];
            createdAt: components["schemas"]["Timestamp"];
        };
        ConversationAnswer: {
            data: components["schemas"]["Conversation"];
        } & components["schemas"]["Answer"];
        /** @description The conversation to send in. */
        ConversationTarget: string;
        Deal: {
            _id: components["schemas"]["Id"];
        } & WithRequired<components["schemas"]["DealFields"], "name" | "stage" | "pipeline">;
        DealFields: {
            name?: string;
            amount?: number;
            /**
             * @description An ISO 4217 code.
             * @example EUR
             */
            currency?: string;
            /** @description The id of a pipeline. */
            pipeline?: string;
            /** @description The id of a stage. */
            stage?: string;
            contactId?: string;
            companyId?: string;
            /**
             * @description An ISO date.
             * @example 2026-06-30
             */
            closeDate?: string;
            description?: string;
            /** @description The ids of contacts. */
            contacts?: string[];
            /** @description The id of a company. */
            company?: string;
            /** @description The id of a user. */
            owner?: string;
        };
        /** @description A successful response without data. */
        Done: {
            data?: unknown;
        } & WithRequired<components["schemas"]["Answer"], "success" | "message">;
        /**
         * Format: email
         * @description An e-mail address.
         * @example ada@example.com
         */
        EmailAddress: string;
        EmailAnswer: {
            data: components["schemas"]["EmailSent"];
        } & components["schemas"]["Answer"];
        EmailMessage: {
            /** @constant */
            channel: "email";
            subject: string;
            /** @description The HTML body. */
            content: string;
            /** @description The id or the e-mail address of the provider. */
            providerId: string;
            conversationId?: components["schemas"]["ConversationTarget"];
            /** @description The ids of contacts. */
            recipientIds?: string[];
            to?: components["schemas"]["EmailAddress"];
            mediaUrl?: components["schemas"]["MediaUrl"];
            mediaType?: components["schemas"]["MediaType"];
            source?: components["schemas"]["Source"];
            attachments?: components["schemas"]["Attachments"];
            /** @description The id of the message that this one replies to. */
            replyToMessageId?: string;
            /** @description The Message-Id of an external message, for threading. */
            quotedMessageId?: string;
            /** @description The id of the thread at the mail provider. */
            threadId?: string;
        };
        EmailSent: WithRequired<components["schemas"]["Message"], "subject">;
        /** @description The contact groups that the contact is in. */
        GroupIds: string[];
        HistoryAnswer: {
            data: components["schemas"]["MessagesOfADay"][];
            pagination: components["schemas"]["HistoryPagination"];
        } & components["schemas"]["Answer"];
        HistoryPagination: {
            total: number;
            currentPage: number;
            totalPages: number;
            hasMore: boolean;
        };
        /**
         * @description The id of a record.
         * @example 66f0a1b2c3d4e5f601234567
         */
        Id: string;
        /**
         * @description The lifecycle stage of the contact.
         * @example Form
         * @example Live Chat
         * @example Ads
         * @example Event
         * @example CRM
         * @example Other
         * @example Lead
         * @example Customer
         */
        LifecycleStage: string;
        LiveMessage: {
            /** @constant */
            channel: "chat";
            /** @description The text; may contain merge fields. */
            content: string;
            conversationId?: components["schemas"]["ConversationTarget"];
            contactId?: components["schemas"]["ContactTarget"];
            recipientId?: components["schemas"]["RecipientAlias"];
            to?: components["schemas"]["PhoneNumber"];
            mediaUrl?: string | null;
            mediaType?: string | null;
            source?: components["schemas"]["Source"];
            attachments?: components["schemas"]["Attachments"];
        };
        /** @description The type of the media. */
        MediaType: string;
        /** @description The URL of the media. */
        MediaUrl: string;
        /** @description The keys of merge fields. */
        MergeFieldKeys: string[];
        Message: {
            _id: components["schemas"]["Id"];
            /** @enum {string} */
            channel: "chat" | "email" | "sms" | "whatsapp";
            /**
             * @description The value shown for a sent message.
             * @example outgoing
             */
            direction: string;
            content: string;
            /**
             * @description The value shown after a send.
             * @example sent
             */
            status: string;
            conversationId: string;
            contactId: string;
            createdAt: components["schemas"]["Timestamp"];
            /** @description The subject of an e-mail. */
            subject?: string;
        };
        MessageAnswer: {
            data: components["schemas"]["Message"];
        } & components["schemas"]["Answer"];
        MessagesOfADay: {
            /** Format: date */
            date: string;
            messages: components["schemas"]["Message"][];
        };
        NewCompany: WithRequired<components["schemas"]["CompanyFields"], "name">;
        NewContact: {
            status?: components["schemas"]["ContactStatus"];
            groupIds?: components["schemas"]["GroupIds"];
        } & WithRequired<components["schemas"]["ContactFields"], "firstName" | "lastName">;
        NewContactWithConversation: {
            firstName: string;
            lastName: string;
            email?: components["schemas"]["EmailAddress"];
            phone?: components["schemas"]["PhoneNumber"];
            /**
             * @description The lifecycle stage of a new contact.
             * @default Lead
             */
            lifecycleStage: string;
            /** @description The id of a contact group. */
            groupId?: string;
        };
        NewConversation: {
            /** @description The id of an existing contact. */
            contactId: string;
        };
        NewDeal: WithRequired<components["schemas"]["DealFields"], "name" | "pipeline" | "stage">;
        NewEmailTemplate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            templateType: "email";
            /** @description The display name. */
            name: string;
            /** @description A unique slug. */
            uniqueName: string;
            subject: string;
            /** @description The HTML; may contain merge fields. */
            content: string;
            /** @description The id of an e-mail provider. */
            provider: string;
            preheader?: string;
            /** @description A BCP-47 code. */
            language?: string;
            variables?: components["schemas"]["MergeFieldKeys"];
        };
        NewProduct: WithRequired<components["schemas"]["ProductFields"], "name" | "unitPrice">;
        NewQuote: {
            /** @description The deal that the quote is made from. */
            dealId: string;
            /**
             * @description The key of a quote template.
             * @example default-basic
             */
            template?: string;
            /** @description The title of the quote. */
            name?: string;
        };
        NewSmsTemplate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            templateType: "sms";
            /** @description The display name. */
            name: string;
            /** @description A unique slug. */
            uniqueName: string;
            /** @description The text; may contain merge fields. */
            content: string;
            /** @description The id of an SMS provider. */
            provider: string;
            category?: string;
            /** @description A BCP-47 code. */
            language?: string;
            variables?: components["schemas"]["MergeFieldKeys"];
        };
        NewTemplate: components["schemas"]["NewSmsTemplate"] | components["schemas"]["NewEmailTemplate"] | components["schemas"]["NewWhatsappTemplate"];
        NewWhatsappTemplate: {
            /** @constant */
            templateType: "whatsapp";
            templateButtons?: components["schemas"]["Buttons"];
        } & (WithRequired<components["schemas"]["WhatsappTemplateFields"], "name" | "uniqueName" | "content" | "category" | "language" | "provider"> & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            templateType: "whatsapp";
        });
        PhoneMessage: {
            /** @enum {string} */
            channel: "sms" | "whatsapp";
            /** @description The text; for a WhatsApp template, the fallback text. */
            content: string;
            /** @description The id or the phone number of the provider. */
            providerId: string;
            conversationId?: components["schemas"]["ConversationTarget"];
            contactId?: components["schemas"]["ContactTarget"];
            recipientId?: components["schemas"]["RecipientAlias"];
            to?: components["schemas"]["PhoneNumber"];
            mediaUrl?: components["schemas"]["MediaUrl"];
            mediaType?: components["schemas"]["MediaType"];
            source?: components["schemas"]["Source"];
            /** @description The id of an approved WhatsApp template. */
            templateId?: string;
            headerParameters?: components["schemas"]["TemplateParameters"];
            bodyParameters?: components["schemas"]["TemplateParameters"];
        };
        /**
         * @description A phone number in E.164 format.
         * @example +14155550123
         */
        PhoneNumber: string;
        Product: {
            _id: components["schemas"]["Id"];
        } & WithRequired<components["schemas"]["ProductFields"], "name" | "unitPrice">;
        ProductFields: {
            name?: string;
            sku?: string;
            description?: string;
            /** @description The sell price. */
            unitPrice?: number;
            /** @description The cost basis. */
            unitCost?: number;
            billingFrequency?: components["schemas"]["BillingFrequency"];
            term?: string;
            productType?: string;
            imageUrl?: string;
            url?: string;
        };
        Quote: {
            _id: components["schemas"]["Id"];
            dealId: string;
        } & WithRequired<components["schemas"]["QuoteUpdate"], "status">;
        QuoteCreated: {
            /** @constant */
            status?: "draft";
        } & components["schemas"]["Quote"];
        /**
         * @description Two lists are documented. The values of both are accepted.
         * @enum {string}
         */
        QuoteStatus: "draft" | "published" | "expired" | "sent" | "accepted" | "declined";
        QuoteUpdate: {
            name?: string;
            status?: components["schemas"]["QuoteStatus"];
            /** @description The key of a quote template. */
            template?: string;
            terms?: string;
            notes?: string;
            /** @enum {string} */
            signatureOption?: "no-signature" | "written-signature";
            url?: string;
            expirationDate?: components["schemas"]["Timestamp"];
            commentsToBuyer?: string;
            purchaseTerms?: string;
            acceptOnlinePayment?: boolean;
        };
        /** @description An alias of contactId. */
        RecipientAlias: string;
        /** @description The envelope of an error. */
        Refusal: {
            /**
             * @description False on error.
             * @constant
             */
            success: false;
            /** @description A text for people. */
            message: string;
        };
        /** @description Sample values for the review by the platform. */
        Samples: unknown[];
        /** @description A label for the origin of the message, for reports. */
        Source: string;
        Template: WithRequired<components["schemas"]["TemplateFields"], "_id" | "templateType" | "name" | "uniqueName" | "content" | "status">;
        TemplateAnswer: {
            data: components["schemas"]["Template"];
        } & components["schemas"]["Answer"];
        /** @enum {string} */
        TemplateCategory: "UTILITY" | "MARKETING" | "AUTHENTICATION";
        TemplateCreated: WithRequired<components["schemas"]["TemplateFields"], "_id" | "templateType" | "name" | "status">;
        TemplateCreatedAnswer: {
            data: components["schemas"]["TemplateCreated"];
        } & components["schemas"]["Answer"];
        TemplateFields: {
            _id?: components["schemas"]["Id"];
            templateType?: components["schemas"]["TemplateType"];
            name?: string;
            uniqueName?: string;
            content?: string;
            status?: components["schemas"]["TemplateStatus"];
            /** @description For WhatsApp: UTILITY, MARKETING or AUTHENTICATION. */
            category?: string;
            language?: string;
            /** @description The subject of an e-mail template. */
            subject?: string;
        };
        TemplateListAnswer: {
            data: components["schemas"]["Template"][];
            pagination: components["schemas"]["TemplatePagination"];
        } & components["schemas"]["Answer"];
        TemplatePagination: {
            totalResults: number;
            totalPages: number;
            currentPage: number;
            limit: number;
            hasMore: boolean;
        };
        /** @description Parameters of a WhatsApp template, in the format of the messaging platform. */
        TemplateParameters: ({
            type?: string;
            text?: string;
        } & {
            [key: string]: unknown;
        })[];
        /** @enum {string} */
        TemplateStatus: "pending" | "approved" | "rejected";
        /** @enum {string} */
        TemplateType: "sms" | "email" | "whatsapp";
        TemplateUpdate: {
            templateType: components["schemas"]["TemplateType"];
            name?: string;
            content?: string;
            category?: string;
            language?: string;
            variables?: unknown[];
        };
        TemplateUpdatedAnswer: {
            data: components["schemas"]["TemplateFields"];
        } & components["schemas"]["Answer"];
        /**
         * Format: date-time
         * @description An ISO 8601 timestamp.
         * @example 2026-03-01T09:30:00.000Z
         */
        Timestamp: string;
        WhatsappTemplateFields: {
            /** @description The display name. */
            name?: string;
            /** @description The name of the template on the platform, in snake_case. */
            uniqueName?: string;
            /** @description The text, with numbered placeholders such as {{1}}. */
            content?: string;
            category?: components["schemas"]["TemplateCategory"];
            /** @description A BCP-47 code. */
            language?: string;
            /** @description The id of a WhatsApp provider. */
            provider?: string;
            variables?: unknown[];
            bodyVariableSampleValues?: components["schemas"]["Samples"];
            headerVariables?: unknown[];
            headerVariableSampleValues?: components["schemas"]["Samples"];
            isHeader?: boolean;
            /**
             * @description All types except text need a file.
             * @enum {string}
             */
            headerType?: "text" | "image" | "video" | "document";
            /** @description The header text, if headerType is text. */
            headerText?: string;
            footer?: string;
        };
        WhatsappTemplateForm: {
            /** @constant */
            templateType: "whatsapp";
            /** @description The buttons as a JSON string. */
            templateButtons?: string;
            /** @description The media file of the header. */
            file?: string;
        } & WithRequired<components["schemas"]["WhatsappTemplateFields"], "name" | "uniqueName" | "content" | "category" | "language" | "provider">;
        WhatsappTemplateUpdateForm: {
            /** @constant */
            templateType: "whatsapp";
            /** @description The media file of the header. */
            file?: string;
        } & WithRequired<components["schemas"]["TemplateUpdate"], "templateType">;
    };
    responses: {
        /** @description A field is missing or invalid. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "A recipient id is required"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The contact. */
        ContactAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "message": "Contact saved",
                 *       "data": {
                 *         "_id": "66f0a1b2c3d4e5f601234567",
                 *         "firstName": "Ada",
                 *         "lastName": "Lovelace",
                 *         "email": "ada@example.com",
                 *         "phone": "+14155550123",
                 *         "status": "open",
                 *         "source": "Website",
                 *         "lifecycleStage": "Lead",
                 *         "groupIds": [
                 *           "66f0a1b2c3d4e5f60123aaaa"
                 *         ],
                 *         "additionalFields": {
                 *           "favouriteColour": "teal"
                 *         },
                 *         "teamId": "demo",
                 *         "createdAt": "2026-03-01T09:30:00.000Z",
                 *         "updatedAt": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactAnswer"];
            };
        };
        /** @description The new contact. */
        ContactCreated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "message": "Contact saved",
                 *       "data": {
                 *         "_id": "66f0a1b2c3d4e5f601234567",
                 *         "firstName": "Ada",
                 *         "lastName": "Lovelace",
                 *         "email": "ada@example.com",
                 *         "phone": "+14155550123",
                 *         "status": "open",
                 *         "source": "Website",
                 *         "lifecycleStage": "Lead",
                 *         "groupIds": [
                 *           "66f0a1b2c3d4e5f60123aaaa"
                 *         ],
                 *         "additionalFields": {
                 *           "favouriteColour": "teal"
                 *         },
                 *         "teamId": "demo",
                 *         "createdAt": "2026-03-01T09:30:00.000Z",
                 *         "updatedAt": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ContactAnswer"];
            };
        };
        /** @description The conversation, with its contact. */
        ConversationAnswer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "message": "Conversation created",
                 *       "data": {
                 *         "_id": "66f0a1b2c3d4e5f601235001",
                 *         "teamId": "demo",
                 *         "contactId": {
                 *           "_id": "66f0a1b2c3d4e5f601234567",
                 *           "name": "Ada Lovelace",
                 *           "email": "ada@example.com",
                 *           "phoneNumber": "+14155550123"
                 *         },
                 *         "createdAt": "2026-03-01T09:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ConversationAnswer"];
            };
        };
        /** @description Success, without data. */
        Done: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": true,
                 *       "message": "Deleted"
                 *     }
                 */
                "application/json": components["schemas"]["Done"];
            };
        };
        /** @description The resource was not found. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Resource not found"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The server failed. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Internal server error"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The API key or token is missing or invalid. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Unauthorized"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: {
        /**
         * @description The id of the company.
         * @example 66f0a1b2c3d4e5f601230001
         */
        CompanyId: components["schemas"]["Id"];
        /**
         * @description The id of the conversation.
         * @example 66f0a1b2c3d4e5f601235001
         */
        ConversationId: components["schemas"]["Id"];
        /**
         * @description The id of the deal.
         * @example 66f0a1b2c3d4e5f601231001
         */
        DealId: components["schemas"]["Id"];
        /**
         * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
         * @example 7d1c5c3e-upsert-ada
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    findOrCreateConversation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Addresses"];
            };
        };
        responses: {
            200: components["responses"]["ConversationAnswer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createContactWithConversation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Ada",
                 *       "lastName": "Lovelace",
                 *       "email": "ada@example.com",
                 *       "phone": "+14155550123",
                 *       "lifecycleStage": "Lead",
                 *       "groupId": "66f0a1b2c3d4e5f60123aaaa"
                 *     }
                 */
                "application/json": components["schemas"]["NewContactWithConversation"];
            };
        };
        responses: {
            200: components["responses"]["ConversationAnswer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createConversation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contactId": "66f0a1b2c3d4e5f601234567"
                 *     }
                 */
                "application/json": components["schemas"]["NewConversation"];
            };
        };
        responses: {
            /** @description The existing conversation of the contact; the message says that it already exists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Conversation already exists",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601235001",
                     *         "teamId": "demo",
                     *         "contactId": {
                     *           "_id": "66f0a1b2c3d4e5f601234567",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "phoneNumber": "+14155550123"
                     *         },
                     *         "createdAt": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationAnswer"];
                };
            };
            /** @description The new conversation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Conversation created",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601235001",
                     *         "teamId": "demo",
                     *         "contactId": {
                     *           "_id": "66f0a1b2c3d4e5f601234567",
                     *           "name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "phoneNumber": "+14155550123"
                     *         },
                     *         "createdAt": "2026-03-01T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    getConversation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the conversation.
                 * @example 66f0a1b2c3d4e5f601235001
                 */
                conversationId: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ConversationAnswer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    listConversationsOfContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example 66f0a1b2c3d4e5f601234567
                 */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversations of the contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 conversation",
                     *       "data": [
                     *         {
                     *           "_id": "66f0a1b2c3d4e5f601235001",
                     *           "teamId": "demo",
                     *           "contactId": {
                     *             "_id": "66f0a1b2c3d4e5f601234567",
                     *             "name": "Ada Lovelace",
                     *             "email": "ada@example.com",
                     *             "phoneNumber": "+14155550123"
                     *           },
                     *           "createdAt": "2026-03-01T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"][];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /**
                 * @description The page number.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description The number of messages per page.
                 * @example 10
                 */
                limit?: number;
                /**
                 * @description Only messages of this channel.
                 * @example sms
                 */
                channel?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the conversation.
                 * @example 66f0a1b2c3d4e5f601235001
                 */
                conversationId: components["parameters"]["ConversationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the history. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 message",
                     *       "data": [
                     *         {
                     *           "date": "2026-03-01",
                     *           "messages": [
                     *             {
                     *               "_id": "66f0a1b2c3d4e5f601236001",
                     *               "channel": "chat",
                     *               "direction": "outgoing",
                     *               "content": "Hello Ada",
                     *               "status": "sent",
                     *               "conversationId": "66f0a1b2c3d4e5f601235001",
                     *               "contactId": "66f0a1b2c3d4e5f601234567",
                     *               "createdAt": "2026-03-01T09:31:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 1,
                     *         "currentPage": 1,
                     *         "totalPages": 1,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HistoryAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    sendLiveMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LiveMessage"];
            };
        };
        responses: {
            /** @description The sent message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Message sent",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601236001",
                     *         "channel": "chat",
                     *         "direction": "outgoing",
                     *         "content": "Hello Ada",
                     *         "status": "sent",
                     *         "conversationId": "66f0a1b2c3d4e5f601235001",
                     *         "contactId": "66f0a1b2c3d4e5f601234567",
                     *         "createdAt": "2026-03-01T09:31:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    sendEmailMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailMessage"];
            };
        };
        responses: {
            /** @description The sent message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "E-mail sent",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601236002",
                     *         "channel": "email",
                     *         "direction": "outgoing",
                     *         "subject": "Your order",
                     *         "content": "<p>Dear Ada, thank you.</p>",
                     *         "status": "sent",
                     *         "conversationId": "66f0a1b2c3d4e5f601235001",
                     *         "contactId": "66f0a1b2c3d4e5f601234567",
                     *         "createdAt": "2026-03-01T09:33:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EmailAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhoneMessage"];
            };
        };
        responses: {
            /** @description The sent message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Message sent",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601236003",
                     *         "channel": "sms",
                     *         "direction": "outgoing",
                     *         "content": "Hello Ada",
                     *         "status": "sent",
                     *         "conversationId": "66f0a1b2c3d4e5f601235001",
                     *         "contactId": "66f0a1b2c3d4e5f601234567",
                     *         "createdAt": "2026-03-01T09:32:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["MessageAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    sendBulkMessages: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkMessage"];
            };
        };
        responses: {
            /** @description The send is queued. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "2 messages queued"
                     *     }
                     */
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    listTemplates: {
        parameters: {
            query: {
                /**
                 * @description The page number.
                 * @example 1
                 */
                page: number;
                /**
                 * @description The number of templates per page.
                 * @example 10
                 */
                limit: number;
                /**
                 * @description The types to list. Repeat the parameter for several types.
                 * @example [
                 *       "sms",
                 *       "email"
                 *     ]
                 */
                types: components["schemas"]["TemplateType"][];
                /**
                 * @description The statuses to list. Repeat the parameter for several statuses.
                 * @example [
                 *       "approved"
                 *     ]
                 */
                statuses: components["schemas"]["TemplateStatus"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 template",
                     *       "data": [
                     *         {
                     *           "_id": "66f0a1b2c3d4e5f601237001",
                     *           "templateType": "sms",
                     *           "name": "Opening hours",
                     *           "uniqueName": "opening-hours",
                     *           "content": "Hello {{contact.firstName}}, we open at nine.",
                     *           "status": "approved",
                     *           "language": "en"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "totalResults": 1,
                     *         "totalPages": 1,
                     *         "currentPage": 1,
                     *         "limit": 10,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateListAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTemplate"];
                "multipart/form-data": components["schemas"]["WhatsappTemplateForm"];
            };
        };
        responses: {
            /** @description The new template. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateCreatedAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the template.
                 * @example 66f0a1b2c3d4e5f601237001
                 */
                templateId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Template found",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601237001",
                     *         "templateType": "sms",
                     *         "name": "Opening hours",
                     *         "uniqueName": "opening-hours",
                     *         "content": "Hello {{contact.firstName}}, we open at nine.",
                     *         "status": "approved",
                     *         "language": "en"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the template.
                 * @example 66f0a1b2c3d4e5f601237001
                 */
                templateId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "templateType": "sms",
                 *       "content": "We open at ten"
                 *     }
                 */
                "application/json": components["schemas"]["TemplateUpdate"];
                "multipart/form-data": components["schemas"]["WhatsappTemplateUpdateForm"];
            };
        };
        responses: {
            /** @description The updated fields of the template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Template updated",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601237001",
                     *         "templateType": "sms",
                     *         "name": "Opening hours",
                     *         "uniqueName": "opening-hours",
                     *         "content": "Hello {{contact.firstName}}, we open at nine.",
                     *         "status": "approved",
                     *         "language": "en"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateUpdatedAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the template.
                 * @example 66f0a1b2c3d4e5f601237001
                 */
                templateId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Ada",
                 *       "lastName": "Lovelace",
                 *       "email": "ada@example.com",
                 *       "phone": "+14155550123",
                 *       "status": "open",
                 *       "source": "Website",
                 *       "lifecycleStage": "Lead",
                 *       "groupIds": [
                 *         "66f0a1b2c3d4e5f60123aaaa"
                 *       ],
                 *       "additionalFields": {
                 *         "favouriteColour": "teal"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewContact"];
            };
        };
        responses: {
            201: components["responses"]["ContactCreated"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the contact.
                 * @example 66f0a1b2c3d4e5f601234567
                 */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "in-progress",
                 *       "company": "66f0a1b2c3d4e5f601230001"
                 *     }
                 */
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            200: components["responses"]["ContactAnswer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the contact.
                 * @example 66f0a1b2c3d4e5f601234567
                 */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ContactAnswer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createOrUpdateContact: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Ada",
                 *       "lastName": "Lovelace",
                 *       "email": "ada@example.com",
                 *       "status": "open"
                 *     }
                 */
                "application/json": components["schemas"]["ContactUpsert"];
            };
        };
        responses: {
            200: components["responses"]["ContactAnswer"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteContactsByEmail: {
        parameters: {
            query: {
                /**
                 * @description The e-mail address to match.
                 * @example ada@example.com
                 */
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Analytical Engines",
                 *       "domain": "engines.example.com",
                 *       "industry": "Machinery",
                 *       "email": "hello@engines.example.com",
                 *       "phoneNumber": "+14155550199",
                 *       "address": "1 Mill Lane",
                 *       "city": "London",
                 *       "postalCode": "NW1 4RY",
                 *       "country": "GB",
                 *       "employeeCount": 12,
                 *       "annualRevenue": 1200000,
                 *       "contacts": [
                 *         "66f0a1b2c3d4e5f601234567"
                 *       ],
                 *       "additionalFields": {
                 *         "tier": "gold"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewCompany"];
            };
        };
        responses: {
            /** @description The new company. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Company saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601230001",
                     *         "name": "Analytical Engines",
                     *         "domain": "engines.example.com",
                     *         "teamId": "demo"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Company"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    updateCompany: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the company.
                 * @example 66f0a1b2c3d4e5f601230001
                 */
                companyId: components["parameters"]["CompanyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "industry": "Computing",
                 *       "additionalFields": {
                 *         "tier": "platinum"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CompanyFields"];
            };
        };
        responses: {
            /** @description The company was updated. Whether the response contains the record is not documented. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Company saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601230001",
                     *         "name": "Analytical Engines",
                     *         "domain": "engines.example.com",
                     *         "teamId": "demo"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data?: components["schemas"]["Company"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteCompany: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the company.
                 * @example 66f0a1b2c3d4e5f601230001
                 */
                companyId: components["parameters"]["CompanyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Difference engine",
                 *       "sku": "DE-1",
                 *       "description": "Computes polynomials",
                 *       "unitPrice": 1200.5,
                 *       "unitCost": 800,
                 *       "billingFrequency": "one_time",
                 *       "term": "12",
                 *       "productType": "machine",
                 *       "imageUrl": "https://files.example.com/engine.png",
                 *       "url": "https://engines.example.com/difference"
                 *     }
                 */
                "application/json": components["schemas"]["NewProduct"];
            };
        };
        responses: {
            /** @description The new product. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Product saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601232001",
                     *         "name": "Difference engine",
                     *         "sku": "DE-1",
                     *         "unitPrice": 1200.5,
                     *         "unitCost": 800
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the product.
                 * @example 66f0a1b2c3d4e5f601232001
                 */
                productId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "unitPrice": 1300,
                 *       "billingFrequency": "semi-annually"
                 *     }
                 */
                "application/json": components["schemas"]["ProductFields"];
            };
        };
        responses: {
            /** @description The product was updated. Whether the response contains the record is not documented. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Product saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601232001",
                     *         "name": "Difference engine",
                     *         "sku": "DE-1",
                     *         "unitPrice": 1200.5,
                     *         "unitCost": 800
                     *       }
                     *     }
                     */
                    "application/json": {
                        data?: components["schemas"]["Product"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the product.
                 * @example 66f0a1b2c3d4e5f601232001
                 */
                productId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createDeal: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDeal"];
            };
        };
        responses: {
            /** @description The new deal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Deal saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601231001",
                     *         "name": "Engine for the mill",
                     *         "amount": 1200.5,
                     *         "currency": "EUR",
                     *         "stage": "66f0a1b2c3d4e5f60123b002",
                     *         "pipeline": "66f0a1b2c3d4e5f60123b001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    updateDeal: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the deal.
                 * @example 66f0a1b2c3d4e5f601231001
                 */
                dealId: components["parameters"]["DealId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "stage": "66f0a1b2c3d4e5f60123b003",
                 *       "amount": 1100
                 *     }
                 */
                "application/json": components["schemas"]["DealFields"];
            };
        };
        responses: {
            /** @description The deal was updated. Whether the response contains the record is not documented. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Deal saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601231001",
                     *         "name": "Engine for the mill",
                     *         "amount": 1200.5,
                     *         "currency": "EUR",
                     *         "stage": "66f0a1b2c3d4e5f60123b002",
                     *         "pipeline": "66f0a1b2c3d4e5f60123b001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data?: components["schemas"]["Deal"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteDeal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the deal.
                 * @example 66f0a1b2c3d4e5f601231001
                 */
                dealId: components["parameters"]["DealId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dealId": "66f0a1b2c3d4e5f601231001",
                 *       "template": "default-basic",
                 *       "name": "Engine for the mill"
                 *     }
                 */
                "application/json": components["schemas"]["NewQuote"];
            };
        };
        responses: {
            /** @description The new quote. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Quote saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601238001",
                     *         "dealId": "66f0a1b2c3d4e5f601231001",
                     *         "name": "Engine for the mill",
                     *         "status": "draft",
                     *         "template": "default-basic"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["QuoteCreated"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    updateQuote: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value for one logical operation, so that it can be retried safely. What the service does with a repeated key is not documented.
                 * @example 7d1c5c3e-upsert-ada
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the quote.
                 * @example 66f0a1b2c3d4e5f601238001
                 */
                quoteId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "sent",
                 *       "terms": "Net 30",
                 *       "notes": "For the second engine",
                 *       "signatureOption": "written-signature",
                 *       "url": "https://engines.example.com/quotes/1",
                 *       "expirationDate": "2026-12-31T00:00:00.000Z",
                 *       "commentsToBuyer": "Thank you",
                 *       "purchaseTerms": "As agreed",
                 *       "acceptOnlinePayment": false
                 *     }
                 */
                "application/json": components["schemas"]["QuoteUpdate"];
            };
        };
        responses: {
            /** @description The quote was updated. Whether the response contains the record is not documented. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "Quote saved",
                     *       "data": {
                     *         "_id": "66f0a1b2c3d4e5f601238001",
                     *         "dealId": "66f0a1b2c3d4e5f601231001",
                     *         "name": "Engine for the mill",
                     *         "status": "draft",
                     *         "template": "default-basic"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data?: components["schemas"]["Quote"];
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteQuote: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the quote.
                 * @example 66f0a1b2c3d4e5f601238001
                 */
                quoteId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
