import { BadInput } from "#app/infra/bad-input.ts";
import { backup, restore } from "./backup.ts";
import { check } from "./check.ts";
import { collections } from "./collections.ts";
import type { Command } from "./command.ts";
import { customers } from "./customers.ts";
import { mails } from "./mails.ts";
import { orders } from "./orders.ts";
import { products } from "./products.ts";
import { rate } from "./rate.ts";
import { shipping } from "./shipping.ts";
import { stock } from "./stock.ts";
import { subscribers } from "./subscribers.ts";

/** The owner's commands: the first words of the command line -> what they do. */
export const commands: Record<string, Command> = {
  backup,
  check,
  collections,
  customers,
  mails,
  orders,
  products,
  rate,
  restore,
  shipping,
  stock,
  subscribers,
};

export function commandOf(name: string): Command {
  const command = Object.hasOwn(commands, name) && commands[name];
  if (!command) throw new BadInput(`There is no command '${name}': 'npm run shop' lists them all`);
  return command;
}
