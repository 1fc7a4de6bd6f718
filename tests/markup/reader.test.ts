import { expect, test } from "vitest";
import { readPage } from "./reader.ts";

test.each([
  [
    "<span>Pick-up at Abuja Wuse 2</span><span class=block>3 to 10 December</span>",
    ["Pick-up at Abuja Wuse 2|3 to 10 December"],
  ],
  ["<b>Home Delivery</b><small>3 to 7 business days</small>", ["Home Delivery|3 to 7 business days"]],
  ["<span>≈ ₦79,984</span><span>₦79,984</span>", ["≈ ₦79,984|₦79,984"]],
  ["<button>Add to Cart<i>Choose a size</i></button>", ["Add to Cart|Choose a size"]],
  ["<a href=/>Shop</a><a href=/x>About</a>", ["Shop|About"]],
  ["<img alt='Front'>Jersey", ["Front|Jersey"]],
  ["<b>3.</b>Who is it for?", ["3.|Who is it for?"]],
  ["<b>3 days</b> <i>to</i>\n<p>pack</p><p>and</p>more<br>of it", []],
  ["3<!-- -->rd, (<b>of</b>) <i>all</i>.", []],
  ["a<script>b</script><svg><title>c</title></svg><b> d</b>", []],
])("53 in %s these words run together: %j", (html, joined) => {
  expect(readPage(html).joined).toEqual(joined);
});

test("53 a button or a link has words where it has text or a picture that says what it is", () => {
  const html = `<button aria-label="One more"><svg></svg></button><a href="/"><img alt="Irepo"></a><button>Less</button>`;
  expect(readPage(html).nameless).toEqual(["<button> One more"]);
});
