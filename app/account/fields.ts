import { z } from "zod";
import { PASSWORD_MAX, PASSWORD_MIN } from "#app/account/password/rule.ts";
import { isEmail } from "#app/infra/email-address.ts";
import { isPersonName, spaceInitials } from "#app/infra/text/person-name.ts";
import * as messages from "#app/messages.ts";
import { NAME_MAX } from "./display-name.ts";

// Read when a form is checked, since the owner can change these sentences.
const required = (label: string) => ({ error: () => messages.form.required(label) });
const tooLong = { error: () => messages.form.tooLong };
const notAName = { error: () => messages.form.notAName };

export function nameField(label: string) {
  const name = z.string().min(1, required(label)).max(NAME_MAX, tooLong).refine(isPersonName, notAName);
  return z.string().trim().transform(spaceInitials).pipe(name);
}

/**
 * The schema of a new password. An empty one gets two messages: that the password is missing and that it is too short.
 */
export function newPasswordField(label: string) {
  return z
    .string(required(label))
    .min(1, required(label))
    .min(PASSWORD_MIN, messages.register.weakPassword)
    .max(PASSWORD_MAX, tooLong);
}

export const registration = z.object({
  firstName: nameField("first name").default(""),
  lastName: nameField("last name").default(""),
  email: z
    .string()
    .min(1, required("email"))
    .refine(isEmail, { error: () => messages.form.email }),
  password: newPasswordField("password"),
});

/** The settings that can be changed on the account page. */
export const accountChange = z.discriminatedUnion("setting", [
  z.object({ setting: z.literal("name"), firstName: nameField("first name"), lastName: nameField("last name") }),
  z.object({ setting: z.enum(["default-address", "delete-address"]), id: z.string().default("") }),
  z.object({
    setting: z.literal("password"),
    current: z.string(required("password")).min(1, required("password")),
    password: newPasswordField("new password"),
  }),
  z.object({ setting: z.literal("sessions"), id: z.uuid().optional() }),
  z.object({ setting: z.literal("newsletter"), newsletter: z.literal("yes").optional() }),
  z.object({ setting: z.literal("delete"), current: z.string().optional(), email: z.string().optional() }),
]);
