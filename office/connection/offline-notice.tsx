import { useEffect } from "react";
import { useNavigate, useNavigation, useRevalidator } from "react-router";
import { Button } from "../frame/button.tsx";
import { Fresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Time } from "../frame/times.tsx";
import { type Away, forgetWanted, noteAway, useAway } from "./away.browser.ts";

/**
 * A notice of an outage since its start, and of a screen that could not be opened. It is at the top of the window,
 * because the bars with the save buttons are at the bottom.
 */
export function OfflineNotice() {
  const { away, wanted } = useAway();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const isPending = useNavigation().state !== "idle";
  useEffect(() => {
    const leave = () => noteAway("network");
    const come = () => void revalidate();
    addEventListener("offline", leave);
    addEventListener("online", come);
    return () => {
      removeEventListener("offline", leave);
      removeEventListener("online", come);
    };
  }, [revalidate]);
  const isShown = away !== undefined || wanted !== undefined;
  useEffect(() => {
    if (isShown) document.querySelector("main :focus-visible")?.scrollIntoView({ block: "nearest" });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div className="away z-20 flow-root -mx-4 bg-paper px-4 pb-1 lg:-mx-10 lg:px-10 print:hidden">
      <Notice
        kind="offline"
        actions={
          <>
            <Button
              type="button"
              look="line"
              isPending={isPending}
              onPress={() => void (wanted === undefined ? revalidate() : navigate(wanted))}
            >
              {wanted === undefined ? "Check now" : "Try again"}
            </Button>
            {wanted !== undefined && (
              <Button type="button" look="quiet" onPress={forgetWanted}>
                Stay here
              </Button>
            )}
          </>
        }
      >
        <span>{away ? <Since {...away} /> : <strong className="font-semibold">You’re connected again.</strong>}</span>
        <span>{wanted !== undefined && " The page you wanted couldn’t be loaded."}</span>
      </Notice>
      {away && <Fresh />}
    </div>
  );
}

function Since({ since, why }: Away) {
  const [what, money] =
    why === "network"
      ? ["No connection since", "Refunds wait until you’re back."]
      : ["The office has been having trouble since", "What you press may not be done."];
  return (
    <span>
      <strong className="font-semibold">
        {what} <Time at={since} look="hour" />.
      </strong>{" "}
      You see the page as it was then. What you type stays. {money}
    </span>
  );
}
