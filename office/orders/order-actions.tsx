import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Form, useNavigate } from "react-router";
import { type FulfilmentTimes, stageOf } from "#app/orders/fulfilment/progress.ts";
import type { OrderState } from "#app/orders/state.ts";
import { Button, ButtonLink } from "../frame/button.tsx";
import { MoreIcon, PrintIcon } from "../frame/icons.tsx";

type Order = FulfilmentTimes & {
  number: string;
  state: OrderState;
  isGivenBack: boolean;
  hasPieces: boolean;
  version: string;
  isPickUp: boolean;
};

/** What can be done next with an order, the likeliest first; each as a press or as a panel to say more in. */
export type Doing = { title: string } & ({ intent: string } | { panel: string });

function doings({ state, isGivenBack, hasPieces, isPickUp, ...times }: Omit<Order, "number" | "version">): Doing[] {
  const cancel = { title: "Cancel the order", panel: "cancel" };
  if (state === "open" || state === "waiting") return [cancel];
  if (state !== "sold") return [{ title: "Send a mail again", panel: "mail" }];
  const stage = stageOf(times);
  const isHere = stage === "paid" || stage === "packed";
  const mayLeave = isHere && !isGivenBack && hasPieces;
  const all: (Doing | false)[] = [
    stage === "paid" && mayLeave && { title: "Mark as packed", intent: "pack" },
    mayLeave && isPickUp && { title: "Ready for pick-up", intent: "ready" },
    mayLeave && { title: "Mark as sent", panel: "send" },
    stage === (isPickUp ? "ready" : "sent") && { title: isPickUp ? "Picked up" : "Delivered", panel: "deliver" },
    stage === "sent" && isPickUp && { title: "Ready for pick-up", intent: "ready" },
    stage === "sent" && { title: "Correct the parcel", panel: "send" },
    ["sent", "ready", "delivered"].includes(stage) && { title: "It came back", intent: "return" },
    !isGivenBack && { title: "Refund a part", panel: "refund" },
    mayLeave && { title: "Change the address", panel: "address" },
    { title: "Send a mail again", panel: "mail" },
    isHere && !isGivenBack && cancel,
  ];
  return all.filter((one) => one !== false);
}

/** What is done daily, and is in sight where there is room. */
const DAILY = ["refund", "send"];

/** The head's presses: the likeliest one, the slip, what is done daily, and all others in a menu. */
export function OrderActions({ order, post }: { order: Order; post(intent: string): void }) {
  const navigate = useNavigate();
  const [first, ...others] = doings(order);
  return (
    <>
      <ButtonLink look="line" to={`/orders/slips?numbers=${order.number}`} className="max-lg:hidden">
        <PrintIcon className="size-5" />
        Slip
      </ButtonLink>
      {others.map(
        (doing) =>
          "panel" in doing &&
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
      {first && "panel" in first && (
        <ButtonLink to={`?do=${first.panel}`} preventScrollReset>
          {first.title}
        </ButtonLink>
      )}
      {first && "intent" in first && (
        <Form method="post">
          <input type="hidden" name="seen" value={order.version} />
          <Button name="intent" value={first.intent}>
            {first.title}
          </Button>
        </Form>
      )}
      <MenuTrigger>
        <Button type="button" look="icon" aria-label="More">
          <MoreIcon className="size-5" />
        </Button>
        <Popover placement="bottom end" className="menu">
          <Menu
            aria-label="With this order"
            onAction={(key) => {
              const doing = others[Number(key)];
              if (!doing) void navigate(`/orders/${key}?numbers=${order.number}`);
              else if ("panel" in doing) void navigate(`?do=${doing.panel}`, { preventScrollReset: true });
              else post(doing.intent);
            }}
          >
            {others.map(({ title }, index) => (
              <MenuItem key={title} id={String(index)}>
                {title}
              </MenuItem>
            ))}
            <MenuItem id="slips">Packing slip</MenuItem>
            <MenuItem id="labels">Address label</MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
    </>
  );
}
