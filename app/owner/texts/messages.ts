import { OWNABLE, type OwnableMessage } from "#app/messages/ownable.ts";

const PREFIX = "message-";

/** The name under which the versions of a sentence are stored. */
export type MessageName = `${typeof PREFIX}${string}`;

const BY_NAME = new Map(OWNABLE.map((message): [MessageName, OwnableMessage] => [`${PREFIX}${message.key}`, message]));

export const MESSAGE_NAMES = [...BY_NAME.keys()];

/** A sentence of the shop that the owner can change, by its name. */
export function messageNamed(name: string): OwnableMessage | undefined {
  return BY_NAME.get(name as MessageName);
}
