import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import type { ShopValues } from "#app/owner/shop/settings.ts";
import { Button } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import type { Outcome } from "../http/changes.server.ts";

/** The result of the last submit, of any form on the screen. */
type Answer = Outcome & { intent?: string };

type Props = {
  intent: string;
  /** The stored values. */
  values: Partial<ShopValues>;
  answer: Answer | undefined;
  submit: string;
  /** The text for another member's value, like "Email: help@shop.example". */
  shown: (name: string, value: unknown) => string;
  children: ReactNode;
};

/**
 * A form for some of the shop's values. If another member changes the same values, the input stays and both versions
 * are shown.
 */
export function ValuesForm({ intent, values, answer, submit, shown, children }: Props) {
  const loaded = JSON.stringify(values);
  const [base, setBase] = useState(loaded);
  const [was, setWas] = useState(values);
  const [isTyped, setTyped] = useState(false);
  /** Whether the form was edited after it was sent. */
  const isTypedSince = useRef(false);
  // Values saved here. They count until the reloaded values arrive.
  const [saved, setSaved] = useState<{ over: string; values: Partial<ShopValues> }>();
  const current = saved?.over === loaded ? { ...values, ...saved.values } : values;
  const now = JSON.stringify(current);
  const own = answer?.intent === intent ? answer : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!own?.ok) return;
    setTyped(isTypedSince.current);
    if (!own.version) return;
    const now = JSON.parse(own.version);
    setSaved({ over: loaded, values: now });
    setWas(now);
  }, [answer]);
  useEffect(() => setSaved((last) => (last?.over === loaded ? last : undefined)), [loaded]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` stands for the current values
  useEffect(() => {
    if (isTyped) return;
    if (saved?.over !== loaded) setBase(loaded); // not before the reload: the form would show the old values again
    setWas(current);
  }, [loaded, now, isTyped]);
  const others = Object.entries(current).filter(([name, value]) => value !== was[name as keyof ShopValues]);
  const isStale = isTyped && others.length > 0;
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <Form
      key={base}
      method="post"
      preventScrollReset
      className="grid max-w-120 gap-4"
      onChange={() => {
        setTyped(true);
        isTypedSince.current = true;
      }}
      onSubmit={() => {
        isTypedSince.current = false;
      }}
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="was" value={JSON.stringify(was)} />
      {children}
      {own?.ok && !isTyped && <Notice kind="done">{own.what}</Notice>}
      {own && !own.ok && "problem" in own && own.meanwhile === undefined && <Notice kind="error">{own.problem}</Notice>}
      {isStale && (
        <Notice
          kind="conflict"
          actions={
            <>
              <Button type="button" look="line" onPress={() => setWas(current)}>
                Keep mine
              </Button>
              <Button type="button" look="line" onPress={() => setTyped(false)}>
                Take theirs
              </Button>
            </>
          }
        >
          <strong className="font-semibold">Somebody else has changed this.</strong> What you typed is still here, and
          hasn’t been saved.
          {others.map(([name, value]) => (
            <p key={name} className="wrap-anywhere">
              Theirs: {shown(name, value)}
            </p>
          ))}
        </Notice>
      )}
      <Button
        isPending={isPending}
        isDisabled={isStale}
        className="max-lg:min-h-12 max-lg:w-full lg:justify-self-start"
      >
        {isPending ? "Saving…" : submit}
      </Button>
    </Form>
  );
}
