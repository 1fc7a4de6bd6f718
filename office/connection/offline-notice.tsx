import { useEffect } from "react";
import { useNavigate, useNavigation, useRevalidator } from "react-router";
import { Button } from "../frame/button.tsx";
import { Fresh } from "../frame/fresh.browser.tsx";
import { Notice } from "../frame/notice.tsx";
import { Time } from "../frame/times.tsx";
import { type Away, forgetWanted, noteAway, useAway } from "./away.browser.ts";

/** Says since when nothing is answered, and which screen could not be opened for it. */
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
    <div className="over-foot fixed inset-x-4 bottom-18 z-30 lg:bottom-4 lg:left-62">
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
              {wanted === undefined ? "Look now" : "Try again"}
            </Button>
            {wanted !== undefined && (
              <Button type="button" look="quiet" onPress={forgetWanted}>
                Stay here
              </Button>
            )}
          </>
        }
      >
        {away ? <Since {...away} /> : <strong className="font-semibold">There is an answer again.</strong>}
        {wanted !== undefined && " What you wanted to see could not be loaded."}
      </Notice>
      {away && <Fresh />}
    </div>
  );
}

function Since({ since, why }: Away) {
  const [what, money] =
    why === "network"
      ? ["No connection since", "money waits until you are back."]
      : ["The office has had trouble since", "what you press may not be done."];
  return (
    <>
      <strong className="font-semibold">
        {what} <Time at={since} look="hour" />.
      </strong>{" "}
      You see what was here then. What you type stays; {money}
    </>
  );
}
