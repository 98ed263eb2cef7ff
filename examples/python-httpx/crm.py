"""A client of the CRM."""

import httpx


class Crm:
    def __init__(self, base_url: str, api_key: str) -> None:
        self._http = httpx.Client(base_url=base_url, headers={"x-api-key": api_key})

    def close(self) -> None:
        self._http.close()

    def save_contact(self, **fields: str) -> dict:
        """Creates the contact, or updates the one with the same address."""
        response = self._http.post("/api/contacts/createOrUpdateContact", json=fields)
        response.raise_for_status()
        return response.json()
