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
         * @description Without `from`, it has a provider for each channel and no records. With it, it starts as a copy that is its own.
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
    "/_sandbox/teams/{teamId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring a team back to what it started from
         * @description Its requests in progress end first. Its key stays.
         */
        post: operations["resetTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the snapshots */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Save what there is now under a name
         * @description All teams, or one. A snapshot of that name is replaced.
         */
        post: operations["saveSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a snapshot. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        /** Download a snapshot as a world */
        get: operations["downloadSnapshot"];
        /**
         * Upload a world as a snapshot of everything
         * @description A snapshot of that name is replaced.
         */
        put: operations["uploadSnapshot"];
        post?: never;
        /** Delete a snapshot */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a snapshot. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring back what a snapshot holds
         * @description A snapshot of everything replaces everything, and ends all tokens. A snapshot of one team, or a `teamId`, replaces the records of that team alone.
         */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/world": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get all records, or those of one team, as a world */
        get: operations["getWorld"];
        /**
         * Replace everything with a world
         * @description It is checked first, and refused with all that is wrong with it. All tokens end.
         */
        put: operations["loadWorld"];
        /**
         * Add the teams of a world, with their keys
         * @description All of them, or none.
         */
        post: operations["addWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams/{teamId}/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description What kind of records, such as `contacts`. */
                kind: components["schemas"]["Kind"];
            };
            cookie?: never;
        };
        /** Find records of a team, oldest first */
        get: operations["findRecords"];
        put?: never;
        post?: never;
        delete?: never;
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
        /**
         * Reject a WhatsApp template
         * @description Its record keeps the reason, as `rejectionReason`. Answers of the service do not show it.
         */
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
    "/_sandbox/outbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent and what waits to be sent
         * @description The oldest first. It is read from the records of the teams, so what is deleted there is not in it either.
         */
        get: operations["listOutbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams/{teamId}/outbox/{itemId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description The id of a message, or of what waits to be sent. */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Drop what waits to be sent */
        delete: operations["dropFromOutbox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams/{teamId}/outbox/{itemId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description The id of a message, or of what waits to be sent. */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send now what waits to be sent
         * @description It is sent before this is answered.
         */
        post: operations["releaseFromOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams/{teamId}/outbox/{itemId}/report": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description The id of a message, or of what waits to be sent. */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a sent message was delivered, read or bounced
         * @description The history of the conversation shows it from then on, whatever `messageStatusLater` assumes.
         */
        post: operations["reportDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/teams/{teamId}/incoming": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a customer write
         * @description The message is added to the conversation of the contact with this address. Contact and conversation are created when there are none, as by a send to the address.
         */
        post: operations["addIncoming"];
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
    "/_sandbox/assumptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the assumptions, with the choices in force */
        get: operations["listAssumptions"];
        /**
         * Switch choices, for all teams or for one
         * @description All of them, or none. They hold for requests that come from now on. A choice of one team goes before one of all teams.
         */
        put: operations["setAssumptions"];
        post?: never;
        /**
         * Bring back the choices of the start
         * @description For all teams; with a team, its own choices are dropped, and those of all teams hold for it.
         */
        delete: operations["resetAssumptions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/_sandbox/assumptions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of an assumption. */
                name: string;
            };
            cookie?: never;
        };
        /** Get one assumption, with the choice in force */
        get: operations["getAssumption"];
        put?: never;
        post?: never;
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
        /** @description A question that the specification leaves open, and the answer in force. */
        Assumption: {
            name: string;
            question: string;
            /** @description The choice in force, with its number: `perMinute:60`. */
            choice: string;
            /**
             * @description Where the choice comes from: the register, the profile, an option at the start, or a switch, for all teams or for this one.
             * @enum {string}
             */
            from: "default" | "profile" | "start" | "runTime" | "team";
            /** @description How many answers relied on the assumption, whatever the team, since the start, a reset, or `clearRequests`. */
            relied: number;
            /** @description The choice of the register. */
            assumed: string;
            /** @enum {string} */
            certainty: "likely" | "open";
            /** @description The section of the specification that leaves it open. */
            section: string;
            /** @description The operations whose answers can depend on it. */
            operations: "all" | string[];
            /** @description All choices. */
            choices: {
                choice: string;
                words: string;
                /** @description The unit of the number that the choice takes, as in `perMinute:60`. */
                numberOf?: string;
            }[];
        };
        AssumptionAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Assumption"];
        };
        AssumptionsAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Assumption"][];
        };
        /** @enum {string} */
        Channel: "chat" | "email" | "sms" | "whatsapp";
        ChoicesToSet: {
            /** @description The names of assumptions, each with its choice, such as `{"rateLimit":"perMinute:60"}`. */
            choices: {
                [key: string]: unknown;
            };
            teamId?: components["schemas"]["Id"];
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
        /** @description One of the fields, or both. */
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
        CountAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["RequestCount"];
        };
        /** @description How long to wait first. With `from` and `to`, some time between the two. */
        Delay: string | number | {
            from: components["schemas"]["Duration"];
            to: components["schemas"]["Duration"];
        };
        DeliveryToReport: {
            /** @enum {string} */
            status: "delivered" | "read" | "bounced";
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
            /** @description How many of the choices in force for all teams come from where. */
            choices: {
                /** @description From the profile. */
                learned: number;
                /** @description By hand, with `--assume` or while the sandbox runs. */
                chosen: number;
                /** @description From the register. */
                assumed: number;
            };
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
        Incoming: {
            messageId: string;
            conversationId: string;
            contactId: string;
            isNewContact: boolean;
            isNewConversation: boolean;
        };
        IncomingAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Incoming"];
        };
        IncomingToAdd: {
            channel: components["schemas"]["Channel"];
            /** @description An e-mail address (email, chat) or a phone number (sms, whatsapp, chat). */
            from: string;
            content: string;
            /** @description Of an e-mail. */
            subject?: string;
        };
        /** @description An ISO 8601 time, or milliseconds since 1970. */
        Instant: string | number;
        /** @enum {string} */
        Kind: "contacts" | "conversations" | "messages" | "templates" | "companies" | "products" | "deals" | "quotes" | "users" | "providers" | "bulkSends";
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
        OutboxAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["OutboxItem"][];
        };
        OutboxItem: {
            id: string;
            team: string;
            channel: components["schemas"]["Channel"];
            state: components["schemas"]["OutboxState"];
            /** @description The addresses; several of a bulk send that waits. */
            to: string[];
            subject?: string;
            /** @description As it was rendered; of what waits, before it is rendered. */
            content: string;
            /** @description The status that the history shows. */
            status?: string;
            contactId?: string;
            conversationId?: string;
            providerId?: string;
            /**
             * Format: date-time
             * @description When it was sent, or is to be sent.
             */
            at?: string;
        };
        /**
         * @description Sent; due, and sent in a moment; scheduled for later; or held until it is released (`bulkDelivery=onRelease`).
         * @enum {string}
         */
        OutboxState: "sent" | "queued" | "scheduled" | "held";
        Records: {
            total: number;
            page: number;
            limit: number;
            records: {
                [key: string]: unknown;
            }[];
        };
        RecordsAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Records"];
        };
        /** @description A refusal. The message says what is wrong and what to do. */
        Refusal: {
            success: boolean;
            /** @description A text for people. */
            message: string;
        };
        Rejection: {
            /** @description Why the platform rejects it. */
            reason?: string;
            teamId?: components["schemas"]["Id"];
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
        /** @description For the header `Retry-After`, with the status 429 or 503. A number is one of seconds, as in the header. */
        RetryAfter: components["schemas"]["Duration"];
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
            /** @description The assumptions that the answer relied on and that nobody has learned. */
            assumed: string[];
            /** @description The assumptions that the answer relied on, with the choice of the profile. */
            learned: string[];
            /** @description What it has changed, such as `contact +1, conversation +1`. */
            changed: string;
            why?: components["schemas"]["Why"];
            /** @description Only when requests are followed: how many were left out before it. */
            missed?: number;
            /** @description What failed in the sandbox, or which fault made the answer. */
            failure?: string;
        };
        /** @description A world, as in a file. It is checked as one. */
        SentWorld: {
            version?: number;
            teams: {
                [key: string]: unknown;
            }[];
        };
        Snapshot: {
            name: string;
            /**
             * @description Unknown, if it cannot be read.
             * @enum {string}
             */
            of: "everything" | "team" | "unknown";
            /** @description The ids of its teams. */
            teams: string[];
            records: number;
            /** @description Why it cannot be read, if it cannot, and what to do. */
            damage?: string;
        };
        SnapshotAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Snapshot"];
        };
        SnapshotName: string;
        SnapshotToSave: {
            name: components["schemas"]["SnapshotName"];
            teamId?: components["schemas"]["Id"];
        };
        SnapshotsAnswer: {
            success: boolean;
            /** @description A text for people. */
            message: string;
            data: components["schemas"]["Snapshot"][];
        };
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
            /** @description What it starts from: `empty`; the present state of another team, `team:ID`; a world of the package, `world:NAME`; a snapshot, `snapshot:NAME`; or a world itself. A world with several teams needs the id of one: `world:NAME/ID`. */
            from?: string | components["schemas"]["SentWorld"];
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
            /** @description Why it was rejected, if that was said. */
            reason?: string;
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
        /** @description The teams of the world. */
        Loaded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TeamsAnswer"];
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
        /** @description The snapshot. */
        Saved: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SnapshotAnswer"];
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
        /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
        Assumed: string;
        /** @description The id of a gate. */
        GateId: string;
        /** @description The id of a message, or of what waits to be sent. */
        ItemId: string;
        /** @description Only the last ones. */
        Last: number;
        /** @description The name of a snapshot. */
        Name: string;
        /** @description The id of a team; without it, what holds for all teams. */
        OfTeam: components["schemas"]["Id"];
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
    resetTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
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
            404: components["responses"]["NotFound"];
        };
    };
    listSnapshots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All snapshots, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SnapshotsAnswer"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    saveSnapshot: {
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
                 *       "name": "seeded"
                 *     }
                 */
                "application/json": components["schemas"]["SnapshotToSave"];
            };
        };
        responses: {
            201: components["responses"]["Saved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    downloadSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a snapshot. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A world, as `--world` and `uploadSnapshot` take it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentWorld"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    uploadSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a snapshot. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "teams": []
                 *     }
                 */
                "application/json": components["schemas"]["SentWorld"];
            };
        };
        responses: {
            201: components["responses"]["Saved"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a snapshot. */
                name: components["parameters"]["Name"];
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
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a snapshot. */
                name: components["parameters"]["Name"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["OneTeam"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    getWorld: {
        parameters: {
            query?: {
                /** @description The only team. */
                teamId?: components["schemas"]["Id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A world, as `--world` takes it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentWorld"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    loadWorld: {
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
                 *       "teams": []
                 *     }
                 */
                "application/json": components["schemas"]["SentWorld"];
            };
        };
        responses: {
            200: components["responses"]["Loaded"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    addWorld: {
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
                 *       "teams": []
                 *     }
                 */
                "application/json": components["schemas"]["SentWorld"];
            };
        };
        responses: {
            201: components["responses"]["Loaded"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    findRecords: {
        parameters: {
            query?: {
                /** @description 1 by default. */
                page?: number;
                /** @description How many records are on a page; 100 by default. */
                limit?: number;
                /** @description Fields that the records must have, such as `email=ada@example.com`. A dot leads into an object, as in `additionalFields.tier=gold`. A list matches by any of its values. */
                where?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description What kind of records, such as `contacts`. */
                kind: components["schemas"]["Kind"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records of the page, and how many there are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
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
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The text names a competitor"
                 *     }
                 */
                "application/json": components["schemas"]["Rejection"];
            };
        };
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
    listOutbox: {
        parameters: {
            query?: {
                /** @description The id of a team; all teams by default. */
                team?: string;
                channel?: components["schemas"]["Channel"];
                /** @description A phone number or an e-mail address. */
                to?: string;
                state?: components["schemas"]["OutboxState"];
                /** @description Only the latest of them; 100 by default. */
                limit?: number;
                /**
                 * @description How long to wait until there are as many as `atLeast`; not at all by default.
                 * @example 5s
                 */
                wait?: string;
                /** @description How many to wait for; one by default. */
                atLeast?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What there is, also when it is less than was waited for. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutboxAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
        };
    };
    dropFromOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description The id of a message, or of what waits to be sent. */
                itemId: components["parameters"]["ItemId"];
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
    releaseFromOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description The id of a message, or of what waits to be sent. */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    reportDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
                /** @description The id of a message, or of what waits to be sent. */
                itemId: components["parameters"]["ItemId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "delivered"
                 *     }
                 */
                "application/json": components["schemas"]["DeliveryToReport"];
            };
        };
        responses: {
            200: components["responses"]["Done"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    addIncoming: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a team. */
                teamId: components["parameters"]["TeamId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "channel": "whatsapp",
                 *       "from": "+14155550123",
                 *       "content": "Where is my order?"
                 *     }
                 */
                "application/json": components["schemas"]["IncomingToAdd"];
            };
        };
        responses: {
            /** @description The message, and where it was added. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncomingAnswer"];
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
    listAssumptions: {
        parameters: {
            query?: {
                /** @description The id of a team; without it, what holds for all teams. */
                teamId?: components["parameters"]["OfTeam"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole register. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssumptionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    setAssumptions: {
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
                 *       "choices": {
                 *         "contactMatching": "phoneThenEmail"
                 *       },
                 *       "teamId": "acme"
                 *     }
                 */
                "application/json": components["schemas"]["ChoicesToSet"];
            };
        };
        responses: {
            /** @description The assumptions that were named, with the choices in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssumptionsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    resetAssumptions: {
        parameters: {
            query?: {
                /** @description The id of a team; without it, what holds for all teams. */
                teamId?: components["parameters"]["OfTeam"];
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
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
        };
    };
    getAssumption: {
        parameters: {
            query?: {
                /** @description The id of a team; without it, what holds for all teams. */
                teamId?: components["parameters"]["OfTeam"];
            };
            header?: never;
            path: {
                /** @description The name of an assumption. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The assumption. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssumptionAnswer"];
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
                /** @description The name of an assumption that the answer relied on, whether its choice is assumed or learned. */
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
