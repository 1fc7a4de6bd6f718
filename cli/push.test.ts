import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { readSubscription } from "#app/staff/notifications/devices.server.ts";
import { publicKey } from "#app/staff/notifications/keys.server.ts";
import { switchOn } from "#app/staff/notifications/notifications.server.ts";
import { command } from "#tests/support/command.ts";
import { useDatabase } from "#tests/support/database.ts";
import { type PushService, startPushService } from "#tests/support/push-service.ts";
import { officeRequest, staffWithPasskey } from "#tests/support/staff.ts";

vi.mock("#app/infra/http/public-address.ts", () => ({ isPublicAddress: () => true })); // the push service is here

const database = useDatabase();
const db = () => database.db();
const say = (...words: string[]) => command(db(), words);

let service: PushService;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(() => service.stop());

test("a test is sent to each device of the member, and each response is shown", async () => {
  await publicKey(db());
  const ada = await staffWithPasskey(db(), "packer");
  const browser = service.subscribe();
  const target = readSubscription(browser.subscription) ?? expect.fail("a subscription");
  await switchOn(db(), officeRequest(ada.cookies), ada, { target, kinds: ["order"] });
  expect(await say("push", "try", ada.email.toUpperCase())).toMatchObject({
    code: 0,
    data: [{ ok: true, answer: "the push service answered 201" }],
    text: expect.stringMatching(/: sent, the push service answered 201$/),
  });
  expect(browser.shown).toMatchObject([{ title: "Notifications work", path: "/me" }]);
  browser.answers.push(503);
  expect(await say("push", "try", ada.email)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/: not sent, the push service answered 503$/),
  });
  browser.answers.push(410);
  expect(await say("push", "try", ada.email)).toMatchObject({
    code: 1,
    text: expect.stringContaining("the device was removed"),
  });
  expect(await say("push", "try", ada.email)).toMatchObject({
    code: 0,
    data: [],
    text: expect.stringContaining("on no device"),
  });
});

test("the address of somebody else is bad input", async () => {
  expect(await say("push", "try", "eve@example.com")).toMatchObject({ code: 2 });
});
