import { FakePerson } from "../kit/fake-person.ts";
import { personContract } from "./person.contract.ts";

personContract("fake", {
  typing: (lines) => new FakePerson(lines),
  nobody: () => new FakePerson("nobody"),
});
