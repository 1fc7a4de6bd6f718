import { type FocusEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { focusAnswer, useErrors } from "#app/ui/answers.browser.ts";
import { useEarlyInput } from "#app/ui/use-early-input.browser.ts";
import { useLater } from "#app/ui/use-later.browser.ts";
import { ADDRESS_FIELDS } from "./address-book/book.ts";
import { checkShipping, type PhoneAbroad, type ShippingErrors, stillNeeded, withOfferedPlaces } from "./check.ts";
import { keepDraft, readDraft } from "./drafts.browser.ts";
import { rememberedPlace, rememberPlace } from "./place/place.browser.ts";
import { fieldsOfPlace, placeKey } from "./place/places.ts";
import {
  CHECKOUT_FIELDS,
  type CheckoutField,
  countryIn,
  destinationOf,
  isComplete,
  type ShippingFields,
  type ShippingRates,
} from "./shipping.ts";

type Options = {
  userId: string;
  /** The form's initial values. */
  initial: ShippingFields;
  /**
   * Whether this tab's draft overrides `initial`. False if `initial` was just posted by a form without JavaScript, or
   * asked for.
   */
  takesDraft: boolean;
  /** Whether the errors of the address are shown at first: the shopper has chosen it as a whole. */
  checksAddress: boolean;
  /** Whether `initial` has no place yet. The place chosen on another page is then filled in. */
  isNew: boolean;
  rates: ShippingRates;
  /** The errors that the server found in the last submission. */
  serverErrors?: ShippingErrors;
};

type Names = Partial<Record<string, boolean>>;

/**
 * The state of the shipping form. The fields are kept as a draft. Errors are shown when a field loses focus and when
 * the form is submitted.
 */
export function useShippingForm({ userId, initial, takesDraft, checksAddress, isNew, rates, serverErrors }: Options) {
  const [kept, setFields] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  const known = withOfferedPlaces(kept, rates);
  const rendered = useRef(known);
  const fields = withUnheard(known, form.current, rendered.current);
  const [left, setLeft] = useState<Names>(checksAddress ? allOf(ADDRESS_FIELDS) : {});
  const [refused, onInput, onFilled] = useErrors(serverErrors);
  const leaveHandlers = useLeave((name) => {
    hear();
    setLeft((before) => ({ ...before, [name]: true }));
  });

  const keep = (next: ShippingFields) => {
    setFields(next);
    keepDraft(userId, next);
    const place = destinationOf(next, rates);
    if (place) rememberPlace(placeKey(place));
  };
  const hear = (): ShippingFields => {
    const heard = withUnheard(fields, form.current);
    if (heard !== fields) keep(heard);
    return heard;
  };
  useLayoutEffect(() => {
    rendered.current = fields;
    if (fields !== known) keep(fields);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for each shopper
  useLayoutEffect(() => {
    if (!takesDraft) keepDraft(userId, initial); // early input, read next, overwrites this draft
  }, [takesDraft, userId]);
  useEarlyInput(form, (early) => {
    const typed = CHECKOUT_FIELDS.filter((name) => early[name] !== undefined && early[name] !== (fields[name] ?? ""));
    if (typed.length === 0) return;
    const before = { ...fields, ...(takesDraft && readDraft(userId)) };
    keep(typed.reduce((values, name) => withField(values, name, early[name] ?? ""), before));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for each shopper
  useEffect(() => {
    if (takesDraft)
      setFields((before) => ({
        ...before,
        ...(isNew && fieldsOfPlace(rememberedPlace(), rates)),
        ...readDraft(userId),
      }));
  }, [takesDraft, userId]);

  const change = (name: CheckoutField, value: string) => {
    keep(withField(withUnheard(fields, form.current), name, value));
    setLeft((before) => (name === "country" ? {} : { ...before, [name]: false }));
  };
  const fill = (values: Partial<ShippingFields>) => {
    const heard = hear();
    rendered.current = heard; // so that the next render does not take what the inputs still have for unheard
    keep({ ...heard, ...(takesDraft && readDraft(userId)), ...values }); // before hydration, the draft is not read yet
    const isFilled = Object.entries(values).map(([name, value]) => [name, value !== ""]);
    setLeft((before) => ({ ...before, ...Object.fromEntries(isFilled) }));
    onFilled(...Object.keys(values));
  };
  const { isPhone, isLoading } = usePhoneAbroad(countryIn(rates.countries, fields.country) !== undefined);
  const found = checkShipping(fields, rates, isPhone).errors;
  const errors: ShippingErrors = {
    ...refused,
    ...Object.fromEntries(Object.entries(found).filter(([name]) => left[name])),
  };
  return {
    form,
    fields,
    errors,
    change,
    /** Sets several fields at once, and shows the errors of those that are not empty; the other fields stay. */
    fill,
    handlers: { ...leaveHandlers, onInput },
    destination: destinationOf(fields, rates),
    needed: stillNeeded(fields, rates, { ...errors, ...found }),
    isComplete: isComplete(fields, rates) && Object.keys(found).length === 0 && !isLoading,
    /** Shows all errors. Returns true if there are none. */
    validate(): boolean {
      const names = Object.keys(checkShipping(hear(), rates, isPhone).errors);
      if (names.length === 0) return true;
      setLeft(allOf(names));
      focusAnswer();
      return false;
    },
  };
}

function allOf(names: readonly string[]): Names {
  return Object.fromEntries(names.map((name) => [name, true]));
}

/**
 * Handlers that call `onLeave` when the focus moves from one field to another. Moving to a button does not count: the
 * button's press validates the whole form, and errors that appear during the press would move the button away.
 */
function useLeave(onLeave: (name: string) => void) {
  const isPressing = useRef(false);
  return {
    onPointerDown: ({ target }: PointerEvent) => {
      // Safari does not focus a pressed button, so `onBlur` would not see it.
      isPressing.current = target instanceof Element && target.closest("button") !== null;
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

/**
 * The fields with the values that the form's inputs got since `rendered` was shown. Some password managers fill in
 * values without an event, and React would overwrite these at the next render.
 */
function withUnheard(fields: ShippingFields, form: HTMLFormElement | null, rendered = fields): ShippingFields {
  if (!form) return fields;
  const shown = new FormData(form);
  return CHECKOUT_FIELDS.reduce((values, name) => {
    const value = shown.get(name);
    const isUnheard = typeof value === "string" && value !== (rendered[name] ?? "") && value !== (values[name] ?? "");
    return isUnheard ? withField(values, name, value) : values;
  }, fields);
}

/** Changes one field and empties those that depend on it. */
function withField(fields: ShippingFields, name: CheckoutField, value: string): ShippingFields {
  return {
    ...fields,
    [name]: value,
    ...(name === "country" && { state: "", deliveryType: "", deliveryWay: "" }),
    ...(name === "state" && { localGovernment: "" }),
  };
}

/**
 * The check of a phone number abroad, which is loaded for such an address only. Until then, and if it cannot be loaded,
 * the check is rough, and the server has the last word.
 */
function usePhoneAbroad(isAbroad: boolean): { isPhone: PhoneAbroad; isLoading: boolean } {
  const [hasFailed, setFailed] = useState(false);
  const load = () => import("./phone-abroad.ts");
  const loaded = useLater(isAbroad, load, () => setFailed(true));
  if (loaded) return { isPhone: (...phone) => loaded.phoneAbroad(...phone) !== undefined, isLoading: false };
  return { isPhone: couldBePhone, isLoading: isAbroad && !hasFailed };
}

function couldBePhone(number: string): boolean {
  const digits = number.replace(/\D/g, "").length;
  return digits >= 5 && digits <= 15;
}
