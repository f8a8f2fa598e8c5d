import type { MemberRow } from "../../src/protocol/panel.ts";
import { nameOf } from "../format.ts";
import { t } from "../l10n.ts";
import { useModel } from "../model.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { memberActions } from "./memberState.ts";

interface MemberMenuProps {
  row: MemberRow;
  anchor: () => HTMLElement | null;
  onClose: () => void;
}

/** What can be done with a member. */
export function MemberMenu({ row, anchor, onClose }: MemberMenuProps) {
  const { post, writeTo } = useModel();
  const can = memberActions(row);
  return (
    <Menu label={t("memberActions", nameOf(row))} anchor={anchor} onClose={onClose}>
      {can.terminal && (
        <MenuItem onChoose={() => post({ type: "openTerminal", member: row.name })}>{t("openTerminal")}</MenuItem>
      )}
      {can.screen && (
        <MenuItem onChoose={() => post({ type: "showScreen", member: row.name })}>{t("showScreen")}</MenuItem>
      )}
      <MenuItem onChoose={() => writeTo(row.name)}>{t("message")}</MenuItem>
      {can.interrupt && (
        <MenuItem onChoose={() => post({ type: "interrupt", member: row.name })}>{t("interrupt")}</MenuItem>
      )}
      <MenuItem onChoose={() => post({ type: "changeMode", member: row.name })}>{t("changeMode")}</MenuItem>
      {can.stop && (
        <MenuItem onChoose={() => post({ type: "stopMember", member: row.name })}>{t("askToStop")}</MenuItem>
      )}
    </Menu>
  );
}
