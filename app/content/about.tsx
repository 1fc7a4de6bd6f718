import { SIZE_RANGE } from "#app/catalog/sizes.ts";

/** The text of the About page until the owner changes it, in two parts: before its picture, and after it. */
export const ABOUT_TEXT = {
  before: (
    <>
      <p>
        <strong lang="yo">Ìrẹ́pọ̀</strong> is Yoruba for harmony: being of one mind. It is what a team has on a good day,
        and what a street has when somebody scores.
      </p>
      <p>
        We make jerseys and streetwear in that spirit. Two linked rings are our mark, because a ring alone is only a
        ring.
      </p>
      <h2>What we make</h2>
      <p>
        Jerseys and tees in sizes {SIZE_RANGE}, in colours that come from here: palm green, burnt orange, cocoa,
        harmattan sand, indigo after the cloth of Abeokuta.
      </p>
    </>
  ),
  after: (
    <>
      <h2>Who it is for</h2>
      <p>
        For everyone who sits together: the viewing centre in Surulere, the campus pitch in Nsukka, the flat in London
        where eleven people share one sofa. We deliver everywhere in Nigeria and to many countries abroad.
      </p>
    </>
  ),
};
