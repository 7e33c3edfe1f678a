package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.exception.FormatException;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.file.FormatFile;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.symboltable.SymbolTable;
import io.skerry.internal.verify.ObjectQueue.Visit;
import java.util.List;

/**
 * Verifies the links of a group in every form in which a file can store them, and adds the targets
 * of hard links to a list of members.
 */
final class LinkWalk {
  private final FormatFile format;
  private final Findings findings;
  private final SpaceClaims claims;

  LinkWalk(FormatFile format, Findings findings, SpaceClaims claims) {
    this.format = format;
    this.findings = findings;
    this.claims = claims;
  }

  /** Adds the target of a link to the members if the link is a hard link. */
  void compact(LinkMessage link, Visit group, List<Visit> members) {
    if (link.target() instanceof LinkTarget.Hard(long address)) {
      members.add(new Visit(address, group.path().child(link.name())));
    }
  }

  void symbolTable(SymbolTableMessage message, Visit group, List<Visit> members) {
    findings.check(
        new Findings.Place(message.treeAddress(), "symbol table", group.path()),
        () -> {
          SymbolTable table = SymbolTable.open(format.source(), format.widths(), message);
          table.links().forEach(link -> compact(link, group, members));
          claims.add(SpaceReport.Kind.LINKS, group.path(), table.blocks(format.orders()));
        });
  }

  void dense(LinkInfoMessage info, Visit group, List<Visit> members) {
    findings.check(
        new Findings.Place(info.heapAddress(), "dense links", group.path()),
        () -> {
          DenseLinks links = DenseLinks.open(format.source(), format.widths(), info);
          try {
            links.all().forEach(link -> compact(link, group, members));
          } catch (FormatException damaged) {
            members.clear();
            membersByOrder(links, group, members);
            throw damaged;
          }
          links.inCreationOrder().ifPresent(ordered -> sameNumber(ordered, links));
          claims.add(SpaceReport.Kind.LINKS, group.path(), links.blocks());
        });
  }

  private static void sameNumber(List<LinkMessage> ordered, DenseLinks links) {
    if (ordered.size() != links.size()) {
      throw new FormatException("links in creation order", links.size(), ordered.size());
    }
  }

  /**
   * Adds the members that the creation order index lists. This index may be readable even if the
   * name index is not.
   */
  private void membersByOrder(DenseLinks links, Visit group, List<Visit> members) {
    try {
      links.inCreationOrder().ifPresent(all -> all.forEach(link -> compact(link, group, members)));
    } catch (FormatException e) {
      members.clear();
    }
  }
}
