import { LINES } from "../kit/skill-world.ts";
import { skillFrontmatterContract } from "./skill-frontmatter.contract.ts";

skillFrontmatterContract("lines of `key: value`", () => LINES);
