// Written by `npm run spec:build` from control/*.yaml: change those.

export interface paths {
    "/_sandbox/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether it is up, with which store and which choices
         * @description Needs no control token; without one the answer has no data.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this document */
        get: operations["getControlDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore the state of the start
         * @description Deletes teams that were created since, and the stored answers for each Idempotency-Key.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the teams */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team with an API key of its own
         * @description It has a provider for each channel, and no records.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams/{teamId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        /** Get one team, with its API keys and providers */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /** Delete a team and everything that it owns */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say what time it is */
        get: operations["getClock"];
        /**
         * Set the clock, freeze it, or let it go on
         * @description What falls due on the way to a later time is done in order, each at its own time, before this is answered. An earlier time undoes nothing.
         */
        put: operations["setClock"];
        post?: never;
        /** Let the clock tell the time of the machine again, or of the clock that the sandbox was given */
        delete: operations["restartClock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description What falls due on the way is done in order, each at its own time, before this is answered.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a bearer token for an admin or an agent */
        post: operations["signToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/templates/{templateId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a template. */
                templateId: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a WhatsApp template */
        post: operations["approveTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/templates/{templateId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a template. */
                templateId: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a WhatsApp template */
        post: operations["rejectTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/bulk-sends/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the bulk sends that wait
         * @description Those of one team, or of all teams. They are sent before this is answered.
         */
        post: operations["releaseBulkSends"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the latest requests, with their answers
         * @description From the oldest to the latest. Secrets are redacted, and long bodies are cut.
         */
        get: operations["findRequests"];
        put?: never;
        post?: never;
        /** Forget all requests so far */
        delete: operations["clearRequests"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/count": {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count requests
         * @description Those that are still kept.
         */
        get: operations["countRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/wait": {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Wait for a request, unless it has come already */
        get: operations["waitForRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/verify": {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify how many requests there were
         * @description At least one unless a number is given. Anything else is answered 409, with a sentence.
         */
        get: operations["verifyRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/follow": {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the requests that come, as server-sent events
         * @description Each event `request` has one request as JSON. Requests that come faster than they are read are left out, and the next one says how many. It ends when the sandbox is closed.
         */
        get: operations["followRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/requests/{requestId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a request, as the header x-sandbox-request of its answer. */
                requestId: string;
            };
            cookie?: never;
        };
        /** Get one request, with its answer */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Advance: {
            by: components["schemas"]["Duration"];
        };
        Clock: {
            /** Format: date-time */
            now: string;
            frozen: boolean;
        };
        ClockAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Clock"];
        };
        ClockToSet: {
            now?: components["schemas"]["Instant"];
            /** @description Whether it stands still. */
            frozen?: boolean;
        };
        CountAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["RequestCount"];
        };
        /** @description An answer without data. */
        Done: {
            success: boolean;
            /** @description A text for people. */
            message: string;
        };
        /** @description Such as `90s` or `2d`, or milliseconds. */
        Duration: string | number;
        Health: {
            version: string;
            /** @description The store, as `--store` takes it. */
            store: string;
            uptimeSeconds: number;
            /** @description The two choices that affect every answer alike, and each choice that was changed. */
            assumptions: {
                [key: string]: string;
            };
        };
        HealthAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data?: components["schemas"]["Health"];
        };
        Id: string;
        /** @description An ISO 8601 time, or milliseconds since 1970. */
        Instant: string | number;
        ListedTeam: {
            teamId: string;
            name: string;
        };
        /** @description A body without fields. It may be left out. */
        Nothing: Record<string, never>;
        /** @description Limits a request to one team. */
        OneTeam: {
            teamId?: components["schemas"]["Id"];
        };
        /** @description A refusal. The message says what is wrong and what to do. */
        Refusal: {
            success: boolean;
            /** @description A text for people. */
            message: string;
        };
        Released: {
            recipients: number;
        };
        ReleasedAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Released"];
        };
        RequestAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["SeenRequest"];
        };
        RequestCount: {
            count: number;
        };
        RequestsAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["SeenRequest"][];
        };
        /** @description What was sent, or what was answered. */
        SeenPart: {
            headers: {
                [key: string]: string;
            };
            /** @description The body: as JSON if it is JSON, else as a text. */
            body?: unknown;
            /** @description Only for a long body, of which the beginning is kept, as a text. */
            cut?: {
                /** @description How many characters the whole has. */
                length: number;
            };
        };
        /** @description A request with its answer. Secrets are redacted. */
        SeenRequest: {
            /** @description As in the header x-sandbox-request of the answer. */
            id: string;
            /** @description When it came, by the clock of the sandbox. */
            at: string;
            /** @description How many milliseconds the answer took. */
            ms: number;
            /** @description Empty when what came was not HTTP. */
            method: string;
            /** @description Path and query, as they were sent. */
            url: string;
            /** @description The operationId, if the path and the method have one. */
            operation?: string;
            /** @description The team whose credential was sent, if it was valid. */
            team?: string;
            /** @description The status; 0 when no answer was sent. */
            status: number;
            /** @description Whether the status is an error. */
            refused: boolean;
            /** @description Whether the client was gone before it had the whole answer. */
            cutOff: boolean;
            sent: components["schemas"]["SeenPart"];
            answered: components["schemas"]["SeenPart"];
            /** @description The assumptions that the answer relied on. */
            assumed: string[];
            /** @description What it has changed, such as `contact +1, conversation +1`. */
            changed: string;
            why?: components["schemas"]["Why"];
            /** @description Only when requests are followed: how many were left out before it. */
            missed?: number;
            /** @description What failed in the sandbox, or which fault made the answer. */
            failure?: string;
        };
        Team: {
            teamId: string;
            name: string;
            apiKeys: string[];
            providers: {
                id: string;
                /** @enum {string} */
                channel: "email" | "sms" | "whatsapp";
                address: string;
            }[];
        };
        TeamAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Team"];
        };
        TeamCreated: {
            teamId: string;
            apiKey: string;
        };
        TeamCreatedAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["TeamCreated"];
        };
        TeamToCreate: {
            /** @description Its id by default. */
            name?: string;
            /** @description Generated by default. */
            apiKey?: string;
        };
        TeamsAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["ListedTeam"][];
        };
        TemplateDecided: {
            teamId: string;
            templateId: string;
            status: string;
        };
        TemplateDecidedAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["TemplateDecided"];
        };
        Token: {
            token: string;
            teamId: string;
            userId: string;
            /** @enum {string} */
            role: "admin" | "agent";
            expiresIn: number;
        };
        TokenAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Token"];
        };
        TokenToSign: {
            /** @description The team; demo by default. */
            teamId?: components["schemas"]["Id"];
            /** @description The user, who is created if unknown; named as the role by default. */
            userId?: components["schemas"]["Id"];
            /** @enum {string} */
            role: "admin" | "agent";
            /** @description Lifetime in seconds; 3600 by default. */
            expiresIn?: number;
        };
        /** @description Why a request was refused. One of promise, assumption, document and limit says what decided. */
        Why: {
            /** @description The id of a sentence of the specification. */
            promise?: string;
            /** @description An entry of the register of assumptions. */
            assumption?: string;
            /** @description The choice of that entry that was in force. */
            choice?: string;
            /** @description The operation whose documented fields decided. */
            document?: string;
            /** @description What the sandbox itself does not take. */
            limit?: string;
            /** @description The sentence, in our words. */
            words: string;
            /** @description The field, the parameter or the header that it is about. */
            field?: string;
        };
    };
    responses: {
        /** @description The request cannot be carried out. Nothing was changed. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "apiKey is already the key of a team; choose another"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The clock after that. */
        Clock: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ClockAnswer"];
            };
        };
        /** @description The decision. */
        Decided: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TemplateDecidedAnswer"];
            };
        };
        /** @description Success, without data. */
        Done: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Done"];
            };
        };
        /** @description The request came from a page of another site. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The control plane refuses requests from the pages of other sites"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description There is nothing of that id or name. */
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
        /** @description It was not so. */
        NotSo: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "There were 2 requests that match, not exactly 1"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
        /** @description The control token is missing or wrong. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Send the control token as x-sandbox-token, or as a bearer token"
                 *     }
                 */
                "application/json": components["schemas"]["Refusal"];
            };
        };
    };
    parameters: {
        /** @description The name of an assumption that the answer relied on. */
        Assumed: string;
        /** @description Only the last ones. */
        Last: number;
        /** @description The operationId, such as createContact. */
        Operation: string;
        /** @description Only those with an error status, or only those without. */
        Refused: boolean;
        /** @description A status such as 404, or a class of statuses such as 4xx. */
        Status: string;
        /** @description The id of the team whose credential was sent. */
        Team: string;
        /** @description The id of a team. */
        TeamId: string;
        /** @description The id of a template. */
        TemplateId: string;
        /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
        Where: string;
    };
    requestBodies: {
        /** @description Needed only when several teams have a template of that id. */
        Owner: {
            content: {
                "application/json": components["schemas"]["OneTeam"];
            };
        };
    };
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
            403: components["responses"]["Forbidden"];
        };
    };
    getControlDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document of the control plane. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    listTeams: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All teams. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamsAnswer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    createTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Globex",
                 *       "apiKey": "globex-key"
                 *     }
                 */
                "application/json": components["schemas"]["TeamToCreate"];
            };
        };
        responses: {
            /** @description The new team, and its key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamCreatedAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamAnswer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "now": "2030-01-31T09:00:00Z",
                 *       "frozen": true
                 *     }
                 */
                "application/json": components["schemas"]["ClockToSet"];
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    restartClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Clock"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "by": "2d"
                 *     }
                 */
                "application/json": components["schemas"]["Advance"];
            };
        };
        responses: {
            200: components["responses"]["Clock"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    signToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "agent",
                 *       "expiresIn": 600
                 *     }
                 */
                "application/json": components["schemas"]["TokenToSign"];
            };
        };
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    approveTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a template. */
                templateId: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Owner"];
        responses: {
            200: components["responses"]["Decided"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    rejectTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a template. */
                templateId: components["parameters"]["TemplateId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Owner"];
        responses: {
            200: components["responses"]["Decided"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    releaseBulkSends: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OneTeam"];
            };
        };
        responses: {
            /** @description How many recipients they had. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasedAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    findRequests: {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
                /** @description Only the last ones. */
                last?: components["parameters"]["Last"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    clearRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    countRequests: {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many there are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    waitForRequest: {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
                /** @description How long to wait at most, such as 500ms or 10s; up to a minute, 5s by default. */
                within?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The first such request that is kept, or that comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["NotSo"];
        };
    };
    verifyRequests: {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
                /** @description Exactly so many. */
                times?: number;
                /** @description So many or more. */
                atLeast?: number;
                /** @description So many or fewer. */
                atMost?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is so. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["NotSo"];
        };
    };
    followRequests: {
        parameters: {
            query?: {
                /** @description The operationId, such as createContact. */
                operation?: components["parameters"]["Operation"];
                /** @description The id of the team whose credential was sent. */
                team?: components["parameters"]["Team"];
                /** @description A status such as 404, or a class of statuses such as 4xx. */
                status?: components["parameters"]["Status"];
                /** @description Only those with an error status, or only those without. */
                refused?: components["parameters"]["Refused"];
                /** @description The name of an assumption that the answer relied on. */
                assumed?: components["parameters"]["Assumed"];
                /** @description Fields of the body, of the path or of the query with the value that they must have, as a JSON object such as {"email":"ada@example.com"}. A dot leads into a field: {"scheduleTime.date":"2030-01-31"}. */
                where?: components["parameters"]["Where"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a request, as the header x-sandbox-request of its answer. */
                requestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The latest request of that id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
}
