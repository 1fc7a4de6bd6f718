import { type FormEvent, useState } from "react";
import { Form, useSubmit } from "react-router";
import { MOST_PARCEL_PICTURES } from "#app/orders/parcel-pictures/picture.ts";
import { Button } from "../../frame/button.tsx";
import { Confirm } from "../../frame/confirm.tsx";
import { Field } from "../../frame/field.tsx";
import { Hint, Section } from "../../frame/page.tsx";
import { shrunk } from "../../products/shrunk.browser.ts";
import { Photograph } from "./photograph.tsx";

type Props = {
  number: string;
  /** The ids of the photographs. */
  pictures: string[];
  /** Whether the member may add and remove photographs. */
  mayChange: boolean;
  isPacked: boolean;
  problem?: string;
  /** The number of photographs that this screen has added. Each empties the form. */
  added: number;
};

/** The photographs of an order's packed parcel. */
export function ParcelPhotos({ number, pictures, mayChange, isPacked, problem, added }: Props) {
  const mayAdd = mayChange && isPacked && pictures.length < MOST_PARCEL_PICTURES;
  if (pictures.length === 0 && !mayAdd) return null;
  return (
    <Section title="Photos of the parcel">
      {pictures.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-3">
          {pictures.map((id, at) => (
            <li key={id}>
              <Photograph
                to={`/orders/${number}/pictures/${id}`}
                about={`The packed parcel, ${at + 1} of ${pictures.length}`}
              />
              {mayChange && (
                <Confirm
                  title="Remove"
                  label={`Remove photo ${at + 1}`}
                  look="quiet"
                  question="Remove this photo? It can’t be brought back."
                  submit="Remove photo"
                  intent="remove-photo"
                  fields={{ picture: id }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAdd && <AddPhoto key={added} problem={problem} />}
      <Hint className="mt-2">Only staff see them.</Hint>
    </Section>
  );
}

/**
 * The form that adds a photograph. The intent comes before the file, since the server's limit depends on it. Scripts
 * make a large photograph smaller first.
 */
function AddPhoto({ problem }: { problem?: string }) {
  const submit = useSubmit();
  const [isPending, setPending] = useState(false);
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setPending(true);
    const picture = form.get("picture");
    if (picture instanceof File) form.set("picture", await shrunk(picture).catch(() => picture));
    await submit(form, { method: "post", encType: "multipart/form-data", preventScrollReset: true });
    setPending(false);
  }
  return (
    <Form
      method="post"
      encType="multipart/form-data"
      preventScrollReset
      onSubmit={send}
      className="grid justify-items-start gap-3"
    >
      <input type="hidden" name="intent" value="photo" />
      <Field label="Photo" problem={problem}>
        <input
          type="file"
          name="picture"
          accept="image/*"
          capture="environment"
          className="input h-auto bg-white file:mr-3 file:min-h-8 file:rounded-cut file:border-0 file:bg-linen file:px-3 file:font-semibold"
        />
      </Field>
      <Button look="line" isPending={isPending}>
        {isPending ? "Adding…" : "Add photo"}
      </Button>
    </Form>
  );
}
