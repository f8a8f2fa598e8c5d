import type { Correspondence, MemberRef, MemberRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { useModel } from "../model.ts";
import { firstWords } from "../ui/firstWords.ts";
import { Icon } from "../ui/icon.tsx";
import { VisibleText } from "../ui/visibleText.tsx";
import { Clock, Who } from "../ui/who.tsx";
import { t } from "./words.ts";

/** With more people than this the pairs are a list: a table would not fit. */
const MOST_IN_TABLE = 9;
/** Pairs of that list. */
const MOST_PAIRS = 20;

type Pair = Correspondence["pairs"][number];

/** Who wrote to whom how often, and the newest texts. */
export function MailMatrix({ members }: { members: readonly (MemberRef | MemberRow)[] }) {
  const mail = useModel().data.mail.value;
  if (!mail) return null;
  const people = inOrder(mail.people, members);
  const byName = new Map(people.map((who) => [who.name, who]));
  return (
    <section class="bd-mail" aria-labelledby="mail-title">
      <h2 class="section-title section-muted" id="mail-title">
        {t("whoToWhom")}
      </h2>
      {mail.pairs.length === 0 && <p class="quiet tab-empty">{t("noMail")}</p>}
      {mail.pairs.length > 0 &&
        (people.length > MOST_IN_TABLE ? (
          <Pairs pairs={mail.pairs} people={byName} />
        ) : (
          <Matrix pairs={mail.pairs} people={people} />
        ))}
      {mail.latest.length > 0 && <Latest latest={mail.latest} people={byName} />}
    </section>
  );
}

/** The person first, then the members in the team's order, then those who left. */
function inOrder(people: readonly MemberRef[], members: readonly MemberRef[]): MemberRef[] {
  const at = ({ name, role }: MemberRef) => {
    const index = members.findIndex((member) => member.name === name);
    return role === "person" ? -1 : index < 0 ? members.length : index;
  };
  return [...people].sort((one, other) => at(one) - at(other));
}

function Matrix({ pairs, people }: { pairs: readonly Pair[]; people: readonly MemberRef[] }) {
  const most = Math.max(...pairs.map(({ count }) => count));
  const countOf = (from: string, to: string) =>
    pairs.find((pair) => pair.from === from && pair.to === to)?.count ?? null;
  return (
    <table class="bd-matrix">
      <thead>
        <tr>
          <th scope="col">
            <span class="vh">{t("mailFrom")}</span>
          </th>
          {people.map((to) => (
            <th key={to.name} scope="col">
              <abbr title={nameOf(to)}>{shortName(to)}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {people.map((from) => (
          <tr key={from.name}>
            <th scope="row">
              <Who member={from} />
            </th>
            {people.map((to) => {
              const count = countOf(from.name, to.name);
              const tint = count === null ? "" : `bd-tint-${Math.ceil((count / most) * 3)}`;
              return (
                <td key={to.name} class={tint}>
                  {count ?? (from.name === to.name ? "·" : "")}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The head of a column of the table: two letters, of two words if it has them, or one character of Chinese. */
function shortName(member: MemberRef): string {
  const name = nameOf(member);
  if (member.role === "person") return name;
  const [word = "", next] = name.split(/[\s_-]+/);
  const [first = "", second = ""] = [...word];
  if (/\p{Script=Han}/u.test(first)) return first;
  return first + (next ? ([...next][0] ?? "") : second);
}

function Pairs({ pairs, people }: { pairs: readonly Pair[]; people: ReadonlyMap<string, MemberRef> }) {
  const most = [...pairs].sort((one, other) => other.count - one.count).slice(0, MOST_PAIRS);
  const more = pairs.length - most.length;
  return (
    <ul class="bd-pairs">
      {most.map(({ from, to, count }) => (
        <li key={`${from} ${to}`}>
          <FromTo from={people.get(from)} to={people.get(to)} />
          <span class="meta">{count}</span>
        </li>
      ))}
      {more > 0 && <li class="quiet">{t("andMore", more)}</li>}
    </ul>
  );
}

function FromTo({ from, to }: { from: MemberRef | undefined; to: MemberRef | undefined }) {
  return (
    <span class="bd-from-to">
      {from && <Who member={from} />}
      <Icon name="arrow-right" label={t("writesTo")} />
      {to && <Who member={to} />}
    </span>
  );
}

function Latest({ latest, people }: { latest: Correspondence["latest"]; people: ReadonlyMap<string, MemberRef> }) {
  return (
    <>
      <h2 class="section-title section-muted">{t("latest")}</h2>
      <ul class="bd-latest">
        {latest.map(({ id, from, to, at, text }) => (
          <li key={`${to} ${id}`}>
            <div class="bd-latest-head">
              <FromTo from={people.get(from)} to={people.get(to)} />
              <Clock at={at} />
            </div>
            <p class="bd-latest-text">
              <VisibleText text={firstWords(text)} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
