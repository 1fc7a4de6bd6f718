import { Form } from "react-router";
import type { HandoverWay } from "#app/owner/delivery/handover.server.ts";
import { Button } from "../frame/button.tsx";
import { Section } from "../frame/page.tsx";
import { State } from "../frame/state.tsx";

/** The switches of the ways whose orders are handed over by a code. */
export function HandoverSwitches({ ways, mayChange }: { ways: HandoverWay[]; mayChange: boolean }) {
  return (
    <Section title="Handover by code">
      <p className="mb-3 max-w-160 text-muted">
        Once an order is sent, the shopper sees four digits. The person who hands the parcel over enters them at a link
        that you make on the order’s page, and the order is delivered.
      </p>
      <ul className="max-w-160">
        {ways.map(({ way, name, isOn }) => (
          <li
            key={way}
            className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 border-b border-hairline py-1.5"
          >
            <span className="mr-auto wrap-anywhere">{name}</span>{" "}
            <State tone={isOn ? "done" : "rest"}>{isOn ? "On" : "Off"}</State>{" "}
            {mayChange && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="way" value={way} />
                <input type="hidden" name="to" value={isOn ? "off" : "on"} />
                <Button name="intent" value="handover" look="line">
                  <span>{isOn ? "Switch off" : "Switch on"}</span>
                  <span className="sr-only">{` for ${name}`}</span>
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
