import { expect, test } from "vitest";
import { brokenTitle, titleProblem } from "./hero-title.ts";

test.each([
  ["Wear\nthe same\nheart", "Wear\nthe same\nheart", undefined],
  ["Wear the same heart", "Wear the\nsame heart", undefined],
  ["Everything for everybody", "Everything\nfor\neverybody", undefined],
  [" One  mind, \n\n one shirt ", "One mind,\none shirt", undefined],
  ["Ọ̀ṣun-Òṣogbo\u0301", "Ọ̀ṣun-Òṣogbó", undefined],
  ["O\u0323\u0300s\u0323un-O\u0300s\u0323ogbo\u0301", "Ọ̀ṣun-Òṣogbó", undefined],
  ["Everything for everybody in the town", "Everything\nfor\neverybody in\nthe town", "At most 3 lines of 12 letters"],
  ["a\nb\nc\nd", "a\nb\nc\nd", "At most 3 lines of 12 letters"],
  ["Extraordinarily", "Extraordinarily", "At most 12 letters in a word"],
  [" \n ", "", "Give it a title"],
])("40 the title %j stands as %j", (typed, shown, problem) => {
  expect(brokenTitle(typed)).toBe(shown.normalize("NFC"));
  expect(titleProblem(brokenTitle(typed))).toBe(problem);
});
