import { useEffect, useState } from "react";
import { Form } from "react-router";
import { Button } from "../frame/button.tsx";

/**
 * A button that takes back the last act, with a countdown of the seconds left. `fields` identify the act. Without
 * JavaScript the button stays, and a press that comes too late is refused.
 */
export function TakeBack({ seconds, fields = {} }: { seconds: number; fields?: Record<string, string> }) {
  const [left, setLeft] = useState(seconds);
  const [end] = useState(() => Date.now() + seconds * 1000);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.ceil((end - Date.now()) / 1000)), 250);
    return () => clearInterval(timer);
  }, [end]);
  if (left <= 0) return null;
  return (
    <Form method="post" preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button look="line" name="intent" value="take-back" className="bg-white">
        Take back <span className="font-normal tabular-nums">({left} s)</span>
      </Button>
    </Form>
  );
}
