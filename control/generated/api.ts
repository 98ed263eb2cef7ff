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
    "/_sandbox/faults": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the faults, with how often each applied */
        get: operations["listFaults"];
        put?: never;
        /**
         * Make requests fail, wait or lose their answer
         * @description The fault applies to requests that come from now on, until it is used up, deleted or reset. Of several that fit a request at the same phase, the first applies. An answer that a fault made names it in the header `x-sandbox-fault`.
         */
        post: operations["addFault"];
        /**
         * Delete all faults
         * @description Requests that a fault delays lose their connection.
         */
        delete: operations["clearFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/faults/{faultId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a fault. */
                faultId: string;
            };
            cookie?: never;
        };
        /** Get one fault, with how often it applied */
        get: operations["getFault"];
        put?: never;
        post?: never;
        /** Delete one fault */
        delete: operations["deleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/gates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the gates */
        get: operations["listGates"];
        put?: never;
        /**
         * Hold one request before its commit
         * @description The request is read, checked and carried out; then what it did is undone, and it waits. Meanwhile other requests of the team go on. When it is released, it is carried out again, on what is there then.
         */
        post: operations["addGate"];
        /**
         * Delete all gates
         * @description Requests that are held lose their connection, and have done nothing.
         */
        delete: operations["clearGates"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/gates/{gateId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
            };
            cookie?: never;
        };
        /** Get one gate, when its request has arrived */
        get: operations["getGate"];
        put?: never;
        post?: never;
        /**
         * Delete one gate
         * @description A request that it holds goes on.
         */
        delete: operations["deleteGate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/gates/{gateId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the held request go on
         * @description When none has come yet, none is held any more.
         */
        post: operations["releaseGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/gates/{gateId}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let the held request fail
         * @description It has done nothing.
         */
        post: operations["failGate"];
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
        /**
         * @description The connection ends instead of an answer. A reset is what a client sees when a server has crashed.
         * @enum {string}
         */
        Connection: "close" | "reset";
        /** @description How long to wait first. With `from` and `to`, some time between the two. */
        Delay: string | number | {
            from: components["schemas"]["Duration"];
            to: components["schemas"]["Duration"];
        };
        /** @description An answer without data. */
        Done: {
            success: boolean;
            /** @description A text for people. */
            message: string;
        };
        /** @description Such as `90s` or `2d`, or milliseconds. */
        Duration: string | number;
        Failure: {
            status?: components["schemas"]["Status"];
            message?: components["schemas"]["Message"];
            retryAfter?: components["schemas"]["RetryAfter"];
            connection?: components["schemas"]["Connection"];
        };
        /** @description A fault as it was added, and how often it applied. */
        Fault: {
            id: string;
            /** @description How many requests it fitted. */
            matched: number;
            /** @description To how many of them it applied. */
            fired: number;
        };
        FaultAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Fault"];
        };
        FaultToAdd: {
            operation?: components["schemas"]["Operations"];
            /** @description The id of a team; all teams by default. */
            team?: string;
            where?: components["schemas"]["Where"];
            nth?: components["schemas"]["Nth"];
            /** @description To how many requests it applies. By default to all, and with `nth` to one. */
            times?: number;
            /**
             * @description By default on arrival, before anything is looked at; when the work is done and nothing is kept, which undoes the work; when everything is kept; or when half of the body is sent.
             * @enum {string}
             */
            phase?: "onArrival" | "beforeCommit" | "afterCommit" | "inBody";
            delay?: components["schemas"]["Delay"];
            status?: components["schemas"]["Status"];
            message?: components["schemas"]["Message"];
            retryAfter?: components["schemas"]["RetryAfter"];
            connection?: components["schemas"]["Connection"];
            /**
             * @description The body of the answer is JSON that ends in its middle, or a page of HTML.
             * @enum {string}
             */
            body?: "cut" | "notJson";
        };
        FaultsAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Fault"][];
        };
        /** @description A gate as it was added, and what became of it. */
        Gate: {
            id: string;
            /**
             * @description It waits for its request, holds it, or what became of it.
             * @enum {string}
             */
            state: "waiting" | "held" | "released" | "failed" | "timedOut" | "dropped";
            /** @description How many requests it fitted. */
            matched: number;
        };
        GateAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Gate"];
        };
        GateToAdd: {
            operation?: components["schemas"]["Operations"];
            /** @description The id of a team; all teams by default. */
            team?: string;
            where?: components["schemas"]["Where"];
            /** @description The nth of the requests; the first by default. */
            nth?: number;
            /** @description After this time the request goes on by itself. 10 seconds by default, and 5 minutes at most. */
            timeout?: components["schemas"]["Duration"];
        };
        GatesAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Gate"][];
        };
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
        /** @description The message of the answer. By default the text of the service, or of HTTP. */
        Message: string;
        /** @description A body without fields. It may be left out. */
        Nothing: Record<string, never>;
        /** @description From the nth of the requests on, at this phase. */
        Nth: number;
        /** @description Limits a request to one team. */
        OneTeam: {
            teamId?: components["schemas"]["Id"];
        };
        /** @description An operationId of the service, or a list of them; all operations by default. */
        Operations: string | string[];
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
        /** @description For the header `Retry-After`, with the status 429 or 503. */
        RetryAfter: components["schemas"]["Duration"];
        /** @description The status of the answer, documented or not. */
        Status: number;
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
        /** @description Fields of the body, parameters of the path or of the query, with the values that they must have. An object in a field must hold at least what is given, a list must be the same. */
        Where: {
            [key: string]: unknown;
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
        /** @description The id of a gate. */
        GateId: string;
        /** @description The id of a team. */
        TeamId: string;
        /** @description The id of a template. */
        TemplateId: string;
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
    listFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All faults, in the order in which they were added. The oldest that are used up make room for new ones. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultsAnswer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    addFault: {
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
                 *       "operation": "sendMessage",
                 *       "phase": "afterCommit",
                 *       "connection": "close",
                 *       "times": 1
                 *     }
                 */
                "application/json": components["schemas"]["FaultToAdd"];
            };
        };
        responses: {
            /** @description The fault, and its id. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    clearFaults: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a fault. */
                faultId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fault. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaultAnswer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    deleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a fault. */
                faultId: string;
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
    listGates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All gates, in the order in which they were added. The oldest that are used up make room for new ones. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GatesAnswer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    addGate: {
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
                 *       "operation": "sendMessage"
                 *     }
                 */
                "application/json": components["schemas"]["GateToAdd"];
            };
        };
        responses: {
            /** @description The gate, and its id. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    clearGates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    getGate: {
        parameters: {
            query?: {
                /**
                 * @description How long to wait for the request; not at all by default.
                 * @example 5s
                 */
                wait?: string;
            };
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gate. Its state is still `waiting` when no request came in time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    deleteGate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
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
    releaseGate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    failGate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a gate. */
                gateId: components["parameters"]["GateId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": 500
                 *     }
                 */
                "application/json": components["schemas"]["Failure"];
            };
        };
        responses: {
            /** @description The gate. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GateAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
}
