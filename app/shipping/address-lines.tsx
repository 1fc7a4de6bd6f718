import { Fragment } from "react";
import { addressLines } from "./address.ts";

/** An order's address. The line breaks also separate the lines in copied or extracted text. */
export function AddressLines({ shipping }: { shipping: Parameters<typeof addressLines>[0] }) {
  return (
    <address className="not-italic">
      {addressLines(shipping).map((line) => (
        <Fragment key={line}>
          <span>{line}</span>
          <br />
        </Fragment>
      ))}
    </address>
  );
}
