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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An answer without data. */
        Done: {
            success: boolean;
            /** @description A text for people. */
            message: string;
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
}
