import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Form, useNavigate } from "react-router";
import { isNigeria } from "#app/shipping/nigeria.ts";
import { type Granted, may } from "#app/staff/roles.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { MoreIcon, PrintIcon } from "../frame/icons.tsx";
import { doingsOf, mayDo, type OrderFacts } from "./doings.ts";

type Order = OrderFacts & { number: string; version: string; shipping: { country: string } };

/** Panels for daily tasks, whose buttons are visible if there is room. */
const DAILY = ["refund", "send", "paid", "given"];

/**
 * The buttons in an order's header that the role may press: next step, packing slip, daily tasks, and a menu with all
 * others.
 */
export function OrderActions({ order, role }: { order: Order; role: Granted }) {
  const navigate = useNavigate();
  const doings = doingsOf(order);
  const next =
    doings.next && mayDo(role, "panel" in doings.next ? doings.next.panel : doings.next.intent) && doings.next;
  const isDeclared = !isNigeria(order.shipping.country) && may(role, "details");
  const others = doings.others.filter(({ panel }) => mayDo(role, panel));
  return (
    <>
      <ButtonLink look="line" to={`/orders/slips?numbers=${order.number}`} className="max-lg:hidden">
        <PrintIcon className="size-5" />
        Slip
      </ButtonLink>
      {others.map(
        (doing) =>
          DAILY.includes(doing.panel) && (
            <ButtonLink
              key={doing.panel}
              look="line"
              to={`?do=${doing.panel}`}
              preventScrollReset
              className="max-xl:hidden"
            >
              {doing.title}
            </ButtonLink>
          ),
      )}
      {next && "panel" in next && (
        <ButtonLink to={`?do=${next.panel}`} preventScrollReset>
          {next.title}
        </ButtonLink>
      )}
      {next && "intent" in next && (
        <Form method="post">
          <input type="hidden" name="seen" value={order.version} />
          <Button name="intent" value={next.intent}>
            {next.title}
          </Button>
        </Form>
      )}
      <MenuTrigger>
        <Button type="button" look="icon" aria-label="More">
          <MoreIcon className="size-5" />
          <span className="sr-only">More</span>
        </Button>
        <Popover placement="bottom end" className="menu">
          <Menu
            aria-label="With this order"
            onAction={(key) => {
              const doing = others[Number(key)];
              if (doing) void navigate(`?do=${doing.panel}`, { preventScrollReset: true });
              else void navigate(`/orders/${key}?numbers=${order.number}`);
            }}
          >
            {others.map(({ title }, index) => (
              <MenuItem key={title} id={String(index)}>
                {title}
              </MenuItem>
            ))}
            <MenuItem id="slips">Packing slip</MenuItem>
            <MenuItem id="labels">Address label</MenuItem>
            {isDeclared && <MenuItem id="customs">Customs form</MenuItem>}
          </Menu>
        </Popover>
      </MenuTrigger>
    </>
  );
}
