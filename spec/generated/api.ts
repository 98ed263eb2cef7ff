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
            path?: never;
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
            path?: never;
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
            path?: never;
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
         * @description Sends in a conversation, or to a contact or a phone number whose conversation is found or created. One of conversationId, contactId, recipientId and to is required. Unlisted fields are refused.
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
         * @description Sends in a conversation to the contacts in recipientIds, or standalone to an address, to contacts, or both. One of conversationId, recipientIds and to is required. Unlisted fields are refused.
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
         * @description Sends in a conversation, to a phone number, or to a contact. One of conversationId, contactId, recipientId and to is required. A WhatsApp message can be an approved template with its parameters. Unlisted fields are refused.
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
            path?: never;
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
            path?: never;
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
            path?: never;
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
            path?: never;
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
            path?: never;
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
            path?: never;
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
            path?: never;
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
            path?: never;
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
        /** @description Attachments. Their shape is not documented here. */
        Attachables: unknown[];
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
            scheduleTime?: components["schemas"]["ScheduleTime"];
            /** @description The id of a template. */
            templateId?: string;
            headerParameters?: components["schemas"]["TemplateParameters"];
            bodyParameters?: components["schemas"]["TemplateParameters"];
        };
        Button: {
            [key: string]: unknown;
        };
        /** @description Quick-reply, URL or phone buttons, in the format of the messaging platform. */
        Buttons: components["schemas"]["Button"][];
        Company: {
            name: string;
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
            /** Format: double */
            employeeCount?: number;
            /** Format: double */
            annualRevenue?: number;
            /** @description The ids of contacts. */
            contacts?: string[];
            additionalFields?: components["schemas"]["AdditionalFields"];
            _id: components["schemas"]["Id"];
            /** @description The team that owns the company. */
            teamId: string;
        };
        CompanyCreatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Company"];
        };
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
            /** Format: double */
            employeeCount?: number;
            /** Format: double */
            annualRevenue?: number;
            /** @description The ids of contacts. */
            contacts?: string[];
            additionalFields?: components["schemas"]["AdditionalFields"];
        };
        CompanyToCreate: {
            name: string;
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
            /** Format: double */
            employeeCount?: number;
            /** Format: double */
            annualRevenue?: number;
            /** @description The ids of contacts. */
            contacts?: string[];
            additionalFields?: components["schemas"]["AdditionalFields"];
        };
        CompanyUpdatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data?: components["schemas"]["Company"];
        };
        Contact: {
            firstName: string;
            lastName: string;
            email?: string;
            /** @description E.164 format is recommended. */
            phone?: string;
            /** @description Where the lead came from. */
            source?: string;
            lifecycleStage?: components["schemas"]["LifecycleStage"];
            additionalFields?: components["schemas"]["AdditionalFields"];
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
        };
        ContactAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Contact"];
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
        ContactToCreate: {
            firstName: string;
            lastName: string;
            email?: string;
            /** @description E.164 format is recommended. */
            phone?: string;
            /** @description Where the lead came from. */
            source?: string;
            lifecycleStage?: components["schemas"]["LifecycleStage"];
            additionalFields?: components["schemas"]["AdditionalFields"];
            status?: components["schemas"]["ContactStatus"];
            groupIds?: components["schemas"]["GroupIds"];
        };
        ContactUpdate: {
            firstName?: string;
            lastName?: string;
            email?: string;
            /** @description E.164 format is recommended. */
            phone?: string;
            /** @description Where the lead came from. */
            source?: string;
            lifecycleStage?: components["schemas"]["LifecycleStage"];
            additionalFields?: components["schemas"]["AdditionalFields"];
            status?: components["schemas"]["ContactStatus"];
            groupIds?: components["schemas"]["GroupIds"];
            /** @description The id of a company. */
            company?: string;
        };
        ContactUpsert: {
            firstName: string;
            lastName: string;
            email?: string;
            /** @description E.164 format is recommended. */
            phone?: string;
            /** @description Where the lead came from. */
            source?: string;
            lifecycleStage?: components["schemas"]["LifecycleStage"];
            additionalFields?: components["schemas"]["AdditionalFields"];
            /** @description The status of the contact. Here it is documented as a string, without a list of values. */
            status?: string;
        };
        ContactWithConversationToCreate: {
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
        Conversation: {
            _id: components["schemas"]["Id"];
            /** @description The team that owns the conversation. */
            teamId: string;
            contactId: components["schemas"]["ContactOfConversation"];
            createdAt: components["schemas"]["Timestamp"];
        };
        ConversationAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Conversation"];
        };
        ConversationListAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Conversation"][];
        };
        /** @description The conversation to send in. */
        ConversationTarget: string;
        ConversationToCreate: {
            /** @description The id of an existing contact. */
            contactId: string;
        };
        Deal: {
            name: string;
            /** Format: double */
            amount?: number;
            /**
             * @description An ISO 4217 code.
             * @example EUR
             */
            currency?: string;
            /** @description The id of a pipeline. */
            pipeline: string;
            /** @description The id of a stage. */
            stage: string;
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
            _id: components["schemas"]["Id"];
        };
        DealCreatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Deal"];
        };
        DealFields: {
            name?: string;
            /** Format: double */
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
        DealToCreate: {
            name: string;
            /** Format: double */
            amount?: number;
            /**
             * @description An ISO 4217 code.
             * @example EUR
             */
            currency?: string;
            /** @description The id of a pipeline. */
            pipeline: string;
            /** @description The id of a stage. */
            stage: string;
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
        DealUpdatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data?: components["schemas"]["Deal"];
        };
        /** @description A successful response without data. */
        Done: {
            /** @description True on success. */
            success: boolean;
            /** @description A text for people. */
            message: string;
            meta?: components["schemas"]["Meta"];
        };
        /**
         * Format: email
         * @description An e-mail address.
         * @example ada@example.com
         */
        EmailAddress: string;
        EmailAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["EmailSent"];
        };
        EmailMessage: {
            /** @enum {string} */
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
        EmailSent: {
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
            subject: string;
        };
        EmailTemplateToCreate: {
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
        /** @description The contact groups that the contact is in. */
        GroupIds: string[];
        /**
         * Format: binary
         * @description The media file of the header.
         */
        HeaderMedia: string;
        /**
         * @description All types except text need a file.
         * @enum {string}
         */
        HeaderType: "text" | "image" | "video" | "document";
        HistoryAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["MessagesOfADay"][];
            pagination: components["schemas"]["HistoryPagination"];
        };
        HistoryPagination: {
            total: number;
            currentPage: number;
            totalPages: number;
            hasMore: boolean;
        };
        /** @description The id of a record. */
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
            /** @enum {string} */
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
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Message"];
        };
        MessagesOfADay: {
            /** Format: date */
            date: string;
            messages: components["schemas"]["Message"][];
        };
        /** @description Part of the target envelope; some handlers omit it. */
        Meta: {
            [key: string]: unknown;
        };
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
            name: string;
            sku?: string;
            description?: string;
            /**
             * Format: double
             * @description The sell price.
             */
            unitPrice: number;
            /**
             * Format: double
             * @description The cost basis.
             */
            unitCost?: number;
            billingFrequency?: components["schemas"]["BillingFrequency"];
            term?: string;
            productType?: string;
            imageUrl?: string;
            url?: string;
            _id: components["schemas"]["Id"];
        };
        ProductCreatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Product"];
        };
        ProductFields: {
            name?: string;
            sku?: string;
            description?: string;
            /**
             * Format: double
             * @description The sell price.
             */
            unitPrice?: number;
            /**
             * Format: double
             * @description The cost basis.
             */
            unitCost?: number;
            billingFrequency?: components["schemas"]["BillingFrequency"];
            term?: string;
            productType?: string;
            imageUrl?: string;
            url?: string;
        };
        ProductToCreate: {
            name: string;
            sku?: string;
            description?: string;
            /**
             * Format: double
             * @description The sell price.
             */
            unitPrice: number;
            /**
             * Format: double
             * @description The cost basis.
             */
            unitCost?: number;
            billingFrequency?: components["schemas"]["BillingFrequency"];
            term?: string;
            productType?: string;
            imageUrl?: string;
            url?: string;
        };
        ProductUpdatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data?: components["schemas"]["Product"];
        };
        Quote: {
            name?: string;
            status: components["schemas"]["QuoteStatus"];
            /** @description The key of a quote template. */
            template?: string;
            terms?: string;
            notes?: string;
            signatureOption?: components["schemas"]["SignatureOption"];
            url?: string;
            /**
             * @description An ISO 8601 timestamp.
             * @example 2026-12-31T00:00:00.000Z
             */
            expirationDate?: string;
            commentsToBuyer?: string;
            purchaseTerms?: string;
            acceptOnlinePayment?: boolean;
            _id: components["schemas"]["Id"];
            dealId: string;
        };
        QuoteCreated: {
            name: string;
            /** @enum {string} */
            status: "draft";
            /** @description The key of a quote template. */
            template: string;
            terms?: string;
            notes?: string;
            signatureOption?: components["schemas"]["SignatureOption"];
            url?: string;
            /**
             * @description An ISO 8601 timestamp.
             * @example 2026-12-31T00:00:00.000Z
             */
            expirationDate?: string;
            commentsToBuyer?: string;
            purchaseTerms?: string;
            acceptOnlinePayment?: boolean;
            _id: components["schemas"]["Id"];
            dealId: string;
        };
        QuoteCreatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["QuoteCreated"];
        };
        /**
         * @description Two lists are documented. The values of both are accepted.
         * @enum {string}
         */
        QuoteStatus: "draft" | "published" | "expired" | "sent" | "accepted" | "declined";
        QuoteToCreate: {
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
        QuoteUpdate: {
            name?: string;
            status?: components["schemas"]["QuoteStatus"];
            /** @description The key of a quote template. */
            template?: string;
            terms?: string;
            notes?: string;
            signatureOption?: components["schemas"]["SignatureOption"];
            url?: string;
            /**
             * @description An ISO 8601 timestamp.
             * @example 2026-12-31T00:00:00.000Z
             */
            expirationDate?: string;
            commentsToBuyer?: string;
            purchaseTerms?: string;
            acceptOnlinePayment?: boolean;
        };
        QuoteUpdatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data?: components["schemas"]["Quote"];
        };
        /** @description An alias of contactId. */
        RecipientAlias: string;
        /** @description The envelope of an error. */
        Refusal: {
            /** @description False on error. */
            success: boolean;
            /** @description A text for people. */
            message: string;
        };
        /**
         * @description Sample values for the review by the platform.
         * @example [
         *       "42"
         *     ]
         */
        Samples: unknown[];
        /** @description The time of a scheduled send. The format of the two strings is not documented. */
        ScheduleTime: {
            date?: string;
            time?: string;
        };
        /** @enum {string} */
        SignatureOption: "no-signature" | "written-signature";
        SmsTemplateToCreate: {
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
        /** @description A label for the origin of the message, for reports. */
        Source: string;
        Template: {
            _id: components["schemas"]["Id"];
            templateType: components["schemas"]["TemplateType"];
            name: string;
            uniqueName: string;
            content: string;
            status: components["schemas"]["TemplateStatus"];
            /** @description For WhatsApp: UTILITY, MARKETING or AUTHENTICATION. */
            category?: string;
            language?: string;
            /** @description The subject of an e-mail template. */
            subject?: string;
        };
        TemplateAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Template"];
        };
        /** @enum {string} */
        TemplateCategory: "UTILITY" | "MARKETING" | "AUTHENTICATION";
        TemplateCreated: {
            _id: components["schemas"]["Id"];
            templateType: components["schemas"]["TemplateType"];
            name: string;
            uniqueName?: string;
            content?: string;
            status: components["schemas"]["TemplateStatus"];
            /** @description For WhatsApp: UTILITY, MARKETING or AUTHENTICATION. */
            category?: string;
            language?: string;
            /** @description The subject of an e-mail template. */
            subject?: string;
        };
        TemplateCreatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["TemplateCreated"];
        };
        TemplateListAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["Template"][];
            pagination: components["schemas"]["TemplatePagination"];
        };
        TemplatePagination: {
            totalResults: number;
            totalPages: number;
            currentPage: number;
            limit: number;
            hasMore: boolean;
        };
        TemplateParameter: {
            type?: string;
            text?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description Parameters of a WhatsApp template, in the format of the messaging platform. */
        TemplateParameters: components["schemas"]["TemplateParameter"][];
        /** @enum {string} */
        TemplateStatus: "pending" | "approved" | "rejected";
        TemplateToCreate: components["schemas"]["SmsTemplateToCreate"] | components["schemas"]["EmailTemplateToCreate"] | components["schemas"]["WhatsappTemplateToCreate"];
        /** @enum {string} */
        TemplateType: "sms" | "email" | "whatsapp";
        TemplateUpdate: {
            templateType: components["schemas"]["TemplateType"];
            name?: string;
            content?: string;
            /** @description For WhatsApp: UTILITY, MARKETING or AUTHENTICATION. */
            category?: string;
            /** @description A BCP-47 code. */
            language?: string;
            /** @description The keys of merge fields. */
            variables?: unknown[];
        };
        /** @description The updated fields, and perhaps others. */
        TemplateUpdated: {
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
            /** @description The keys of merge fields. */
            variables?: unknown[];
        };
        TemplateUpdatedAnswer: {
            /** @description True on success. */
            success?: boolean;
            /** @description A text for people. */
            message?: string;
            meta?: components["schemas"]["Meta"];
            data: components["schemas"]["TemplateUpdated"];
        };
        /**
         * Format: date-time
         * @description An ISO 8601 timestamp.
         * @example 2026-03-01T09:30:00.000Z
         */
        Timestamp: string;
        /** @description A field that is left empty counts as not sent. The limits of a form are not documented; the mock server takes 40 fields of up to 64 KiB and one file of up to 16 MiB, and refuses a field called `__proto__`. */
        WhatsappTemplateForm: {
            /**
             * @description The display name.
             * @example Order is ready
             */
            name: string;
            /**
             * @description The name of the template on the platform, in snake_case.
             * @example order_is_ready
             */
            uniqueName: string;
            /**
             * @description The text, with numbered placeholders such as {{1}}.
             * @example Your order {{1}} is ready
             */
            content: string;
            category: components["schemas"]["TemplateCategory"];
            /**
             * @description A BCP-47 code.
             * @example en_US
             */
            language: string;
            /**
             * @description The id of a WhatsApp provider.
             * @example whatsapp-provider
             */
            provider: string;
            /**
             * @example [
             *       "order.number"
             *     ]
             */
            variables?: unknown[];
            bodyVariableSampleValues?: components["schemas"]["Samples"];
            /** @example [] */
            headerVariables?: unknown[];
            headerVariableSampleValues?: components["schemas"]["Samples"];
            isHeader?: boolean;
            headerType?: components["schemas"]["HeaderType"];
            /**
             * @description The header text, if headerType is text.
             * @example Good news
             */
            headerText?: string;
            /** @example Reply STOP to end */
            footer?: string;
            /** @enum {string} */
            templateType: "whatsapp";
            /**
             * @description The buttons as a JSON string.
             * @example [{ "type": "QUICK_REPLY", "text": "Thanks" }]
             */
            templateButtons?: string;
            file?: components["schemas"]["HeaderMedia"];
        };
        WhatsappTemplateToCreate: {
            /**
             * @description The display name.
             * @example Order is ready
             */
            name: string;
            /**
             * @description The name of the template on the platform, in snake_case.
             * @example order_is_ready
             */
            uniqueName: string;
            /**
             * @description The text, with numbered placeholders such as {{1}}.
             * @example Your order {{1}} is ready
             */
            content: string;
            category: components["schemas"]["TemplateCategory"];
            /**
             * @description A BCP-47 code.
             * @example en_US
             */
            language: string;
            /**
             * @description The id of a WhatsApp provider.
             * @example whatsapp-provider
             */
            provider: string;
            /**
             * @example [
             *       "order.number"
             *     ]
             */
            variables?: unknown[];
            bodyVariableSampleValues?: components["schemas"]["Samples"];
            /** @example [] */
            headerVariables?: unknown[];
            headerVariableSampleValues?: components["schemas"]["Samples"];
            isHeader?: boolean;
            headerType?: components["schemas"]["HeaderType"];
            /**
             * @description The header text, if headerType is text.
             * @example Good news
             */
            headerText?: string;
            /** @example Reply STOP to end */
            footer?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            templateType: "whatsapp";
            templateButtons?: components["schemas"]["Buttons"];
        };
        /** @description A field that is left empty counts as not sent. The limits of a form are not documented; the mock server takes 40 fields of up to 64 KiB and one file of up to 16 MiB, and refuses a field called `__proto__`. */
        WhatsappTemplateUpdateForm: {
            /** @enum {string} */
            templateType: "whatsapp";
            name?: string;
            content?: string;
            /** @description For WhatsApp: UTILITY, MARKETING or AUTHENTICATION. */
            category?: string;
            /** @description A BCP-47 code. */
            language?: string;
            /** @description The keys of merge fields. */
            variables?: unknown[];
            file?: components["schemas"]["HeaderMedia"];
        };
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
    parameters: never;
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
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
            /** @description The conversation, with its contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAnswer"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactWithConversationToCreate"];
            };
        };
        responses: {
            /** @description The conversation, with its contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAnswer"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationToCreate"];
            };
        };
        responses: {
            /** @description The existing conversation of the contact; the message says that it already exists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAnswer"];
                };
            };
            /** @description The new conversation. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
                /** @description The id of the conversation. */
                conversationId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The conversation, with its contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationAnswer"];
                };
            };
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
                /** @description The id of the contact. */
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
                    "application/json": components["schemas"]["ConversationListAnswer"];
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
                /** @description The page number. */
                page?: number;
                /** @description The number of messages per page. */
                limit?: number;
                /** @description Only messages of this channel. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description The id of the conversation. */
                conversationId: components["schemas"]["Id"];
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
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
                /** @description The page number. */
                page: number;
                /** @description The number of templates per page. */
                limit: number;
                /** @description The types to list. Repeat the parameter for several types. */
                types: components["schemas"]["TemplateType"][];
                /** @description The statuses to list. Repeat the parameter for several statuses. */
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateToCreate"];
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
                /** @description The id of the template. */
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the template. */
                templateId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                /** @description The id of the template. */
                templateId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactToCreate"];
            };
        };
        responses: {
            /** @description The new contact. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAnswer"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the contact. */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAnswer"];
                };
            };
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
                /** @description The id of the contact. */
                contactId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact that was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAnswer"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpsert"];
            };
        };
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
    deleteContactsByEmail: {
        parameters: {
            query: {
                /** @description The e-mail address to match. */
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyToCreate"];
            };
        };
        responses: {
            /** @description The new company. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompanyCreatedAnswer"];
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the company. */
                companyId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["CompanyUpdatedAnswer"];
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
                /** @description The id of the company. */
                companyId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductToCreate"];
            };
        };
        responses: {
            /** @description The new product. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductCreatedAnswer"];
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the product. */
                productId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["ProductUpdatedAnswer"];
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
                /** @description The id of the product. */
                productId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealToCreate"];
            };
        };
        responses: {
            /** @description The new deal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DealCreatedAnswer"];
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the deal. */
                dealId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["DealUpdatedAnswer"];
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
                /** @description The id of the deal. */
                dealId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteToCreate"];
            };
        };
        responses: {
            /** @description The new quote. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteCreatedAnswer"];
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
                /** @description A unique value for one logical operation, so that it can be retried safely, such as a UUID. What the service does with a repeated key is not documented, nor how long a key can be; the mock server takes 1 to 255 characters. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the quote. */
                quoteId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                    "application/json": components["schemas"]["QuoteUpdatedAnswer"];
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
                /** @description The id of the quote. */
                quoteId: components["schemas"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
        };
    };
}
