import json
import subprocess
import unittest

import httpx

from crm import Crm


class CrmTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        """One sandbox for all tests."""
        command = ["node_modules/.bin/crm-sandbox", "serve", "--port", "0", "--print-json"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE)
        line = cls.server.stdout.readline()
        if not line:
            raise RuntimeError("The sandbox did not start; its standard error says why.")
        cls.url = json.loads(line)["url"]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.terminate()
        cls.server.wait()
        cls.server.stdout.close()

    def setUp(self) -> None:
        """A team of its own for each test."""
        team = httpx.post(f"{self.url}/_sandbox/teams", json={"name": self.id()}).json()["data"]
        self.crm = Crm(self.url, team["apiKey"])
        self.addCleanup(self.crm.close)

    def test_creates_a_contact_once(self) -> None:
        ada = {"firstName": "Ada", "lastName": "Lovelace", "email": "ada@example.com"}
        self.assertEqual(self.crm.save_contact(**ada)["message"], "Contact created")
        self.assertEqual(self.crm.save_contact(**ada)["message"], "Contact updated")

    def test_does_not_see_the_contacts_of_other_tests(self) -> None:
        ada = {"firstName": "Ada", "lastName": "Lovelace", "email": "ada@example.com"}
        self.assertEqual(self.crm.save_contact(**ada)["message"], "Contact created")

    def test_raises_when_it_is_refused(self) -> None:
        with self.assertRaisesRegex(httpx.HTTPStatusError, "400 Bad Request"):
            self.crm.save_contact(firstName="Ada")


if __name__ == "__main__":
    unittest.main()
