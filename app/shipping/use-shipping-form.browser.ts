import { type FocusEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { focusProblem } from "#app/ui/focus.browser.ts";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { checkShipping, type ShippingErrors, stillNeeded } from "./check.ts";
import { keepDraft, readDraft } from "./drafts.browser.ts";
import { readPlace, rememberPlace } from "./place/place.browser.ts";
import { fieldsOfPlace, placeKey } from "./place/places.ts";
import {
  destinationOf,
  isComplete,
  isNigeria,
  SHIPPING_FIELDS,
  type ShippingField,
  type ShippingFields,
  type ShippingRates,
} from "./shipping.ts";
import { stateNamed } from "./state-names.ts";

type Options = {
  userId: string;
  /** What the form begins with. */
  initial: ShippingFields;
  /** Whether this tab's draft goes before that: not over what a form without script has just posted. */
  takesDraft: boolean;
  /** Whether `initial` says nothing of where to: then the place does that was chosen on another page. */
  isNew: boolean;
  rates: ShippingRates;
  /** What the server found wrong when the form was sent last. */
  serverErrors?: ShippingErrors;
};

type Names = Partial<Record<string, boolean>>;

/** The shipping form's fields, kept as a draft, and what is wrong with them: said when a field is left, and when the whole form is sent. */
export function useShippingForm({ userId, initial, takesDraft, isNew, rates, serverErrors }: Options) {
  const [kept, setFields] = useState(initial);
  const fields = withOfferedPlaces(kept, rates);
  const [left, setLeft] = useState<Names>({});
  const [changed, setChanged] = useState<{ names: Names; since?: ShippingErrors }>({ names: {} });
  const form = useRef<HTMLFormElement>(null);
  const leaveHandlers = useLeave((name) => setLeft((before) => ({ ...before, [name]: true })));

  const keep = (next: ShippingFields) => {
    setFields(next);
    keepDraft(userId, next);
    const place = destinationOf(next, rates);
    if (place) rememberPlace(placeKey(place));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for each shopper
  useLayoutEffect(() => {
    if (!takesDraft) keepDraft(userId, initial); // before what was typed since, which is kept over it
  }, [takesDraft, userId]);
  useEarlyInput(form, (early) => {
    const typed = SHIPPING_FIELDS.filter((name) => early[name] !== undefined && early[name] !== fields[name]);
    if (typed.length === 0) return;
    const before = { ...fields, ...(takesDraft && readDraft(userId)) };
    keep(typed.reduce((values, name) => withField(values, name, early[name] ?? ""), before));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for each shopper
  useEffect(() => {
    if (takesDraft)
      setFields((before) => ({ ...before, ...(isNew && fieldsOfPlace(readPlace(), rates)), ...readDraft(userId) }));
  }, [takesDraft, userId]);

  const change = (name: ShippingField, value: string) => {
    keep(withField(fields, name, value));
    setChanged({ names: { ...changedNames, [name]: true }, since: serverErrors });
    setLeft((before) => (name === "country" ? {} : { ...before, [name]: false }));
  };
  const changedNames = changed.since === serverErrors ? changed.names : {};
  const found = checkShipping(fields, rates, couldBePhone).errors;
  const errors: ShippingErrors = {
    ...only(serverErrors ?? {}, (name) => !changedNames[name]),
    ...only(found, (name) => left[name] === true),
  };
  return {
    form,
    fields,
    errors,
    change,
    leaveHandlers,
    destination: destinationOf(fields, rates),
    needed: stillNeeded(fields, rates, errors),
    isComplete: isComplete(fields, rates),
    /** Shows everything that is wrong; true when nothing is. */
    validate(): boolean {
      const names = Object.keys(found);
      if (names.length === 0) return true;
      setLeft(Object.fromEntries(names.map((name) => [name, true])));
      focusProblem();
      return false;
    },
  };
}

/** Handlers that tell which field was left for another one. A press on a button checks everything itself, and must not see it move away. */
function useLeave(onLeave: (name: string) => void) {
  const isPressing = useRef(false);
  return {
    onPointerDown: ({ target }: PointerEvent) => {
      isPressing.current = target instanceof Element && target.closest("button") !== null; // Safari gives buttons no focus
    },
    onKeyDown: () => {
      isPressing.current = false;
    },
    onBlur: ({ target, relatedTarget }: FocusEvent) => {
      const name = target.getAttribute("name");
      const isToButton = isPressing.current || relatedTarget instanceof HTMLButtonElement;
      const isToOtherWindow = target === document.activeElement;
      if (name && !isToButton && !isToOtherWindow) onLeave(name);
    },
  };
}

function only(errors: ShippingErrors, isMeant: (name: string) => boolean): ShippingErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => isMeant(name)));
}

/** An earlier order or an old draft may have the state under another name than the owner's table has now, or a center that is no more. */
function withOfferedPlaces(fields: ShippingFields, { states, pickups }: ShippingRates): ShippingFields {
  if (!isNigeria(fields.country)) return fields;
  const state = stateNamed(states, fields.state)?.name ?? "";
  const isOffered = pickups.some(({ name }) => name === fields.pickupCenter);
  return { ...fields, state, pickupCenter: isOffered ? fields.pickupCenter : "" };
}

/** The fields with one of them changed, and those that hang on it empty. */
function withField(fields: ShippingFields, name: ShippingField, value: string): ShippingFields {
  return {
    ...fields,
    [name]: value,
    ...(name === "country" && { state: "", deliveryType: "" }),
    ...(name === "state" && { localGovernment: "" }),
  };
}

/** The server knows the numbers of each country; here only what can be none is told. */
function couldBePhone(number: string): boolean {
  const digits = number.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 15;
}
