import { z } from "zod";
import { PASSWORD_MAX, PASSWORD_MIN } from "#app/account/password/rule.ts";
import { isPersonName } from "#app/infra/person-name.ts";
import * as messages from "#app/messages.ts";
import { NAME_MAX } from "./display-name.ts";

const { required, tooLong, notAName } = messages.form;

export function nameField(label: string) {
  return z.string().trim().min(1, required(label)).max(NAME_MAX, tooLong).refine(isPersonName, notAName);
}

/** A password to be chosen; of an empty one both is said, that it is missing and that it is short. */
export function newPasswordField(label: string) {
  return z
    .string({ error: required(label) })
    .min(1, required(label))
    .min(PASSWORD_MIN, messages.register.weakPassword)
    .max(PASSWORD_MAX, tooLong);
}
