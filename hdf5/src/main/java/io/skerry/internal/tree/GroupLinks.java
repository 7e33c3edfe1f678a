package io.skerry.internal.tree;

import io.skerry.LinkOrder;
import io.skerry.datatype.CharacterSet;
import io.skerry.format.block.FileAddress;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.PhaseChange;
import io.skerry.format.message.group.SymbolTableMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Edits the links of a group. Does not change the reference counts of the targets; the caller
 * counts added and removed hard links. Every rank makes the same changes to its copy of the
 * metadata.
 */
public final class GroupLinks {
  /** The default maximum number of links in a header; more links move to dense storage. */
  private static final int MOST_COMPACT = 8;

  private final ObjectTree tree;
  private final long group;

  public GroupLinks(ObjectTree tree, long group) {
    this.tree = tree;
    this.group = group;
  }

  /** Creates the link info message of a new group without links. */
  static LinkInfoMessage info(LinkOrder order) {
    return switch (order) {
      case UNTRACKED -> LinkInfoMessage.compact();
      case TRACKED ->
          new LinkInfoMessage(
              OptionalLong.of(0),
              FileAddress.UNDEFINED,
              FileAddress.UNDEFINED,
              OptionalLong.of(FileAddress.UNDEFINED));
    };
  }

  /** Adds a link; the group must not have a link with this name yet. */
  public void add(String name, LinkTarget target) {
    add(LinkMessage.of(name, target));
  }

  /**
   * Adds a link; the group must not have a link with this name yet. If the group tracks the
   * creation order, the link keeps its creation order, or is assigned the next one if it has none.
   */
  public void add(LinkMessage plain) {
    StorableForm.check(plain);
    tree.linksChanged();
    Optional<SymbolTableMessage> table = table();
    if (table.isPresent() && fitsTable(plain)) {
      tree.tables().put(group, table.get(), plain);
      return;
    }
    table.ifPresent(this::toMessages);
    LinkMessage link = numbered(plain);
    List<LinkMessage> compact = tree.header(group).all(LinkMessage.class);
    if (isDense()) {
      tree.denseLinks().put(group, link);
    } else if (compact.size() < mostCompact()) {
      tree.change(group, entries -> appended(entries, HeaderMessage.of(link)));
    } else {
      compact.forEach(old -> tree.denseLinks().put(group, old));
      tree.denseLinks().put(group, link);
      tree.change(
          group, entries -> without(entries, entry -> entry.message() instanceof LinkMessage));
    }
  }

  /** Removes an existing link. */
  public void remove(String name) {
    tree.linksChanged();
    Optional<SymbolTableMessage> table = table();
    if (table.isPresent()) {
      tree.tables().remove(group, table.get(), name);
      return;
    }
    if (isDense()) {
      tree.denseLinks().remove(group, name);
    }
    tree.change(
        group,
        entries ->
            without(
                entries,
                entry -> entry.message() instanceof LinkMessage link && link.name().equals(name)));
  }

  /** Returns the symbol table message of the group; empty if it is not an old-style group. */
  private Optional<SymbolTableMessage> table() {
    return tree.header(group).find(SymbolTableMessage.class);
  }

  /**
   * Returns whether a symbol table can represent a link: a table supports only hard and soft links,
   * and does not store the character set of names.
   */
  private static boolean fitsTable(LinkMessage link) {
    return switch (link.target()) {
      case LinkTarget.Hard _, LinkTarget.Soft _ -> link.characters() == CharacterSet.ASCII;
      case LinkTarget.External _, LinkTarget.UserDefined _ -> false;
    };
  }

  /** Converts an old-style group to link messages, as HDF5 does. */
  private void toMessages(SymbolTableMessage table) {
    List<LinkMessage> links = tree.tables().dissolve(group, table);
    List<HeaderMessage> added = new ArrayList<>();
    added.add(HeaderMessage.of(LinkInfoMessage.compact()));
    added.add(HeaderMessage.of(GroupInfoMessage.defaults()));
    if (links.size() <= MOST_COMPACT) {
      links.forEach(link -> added.add(HeaderMessage.of(link)));
    } else {
      links.forEach(link -> tree.denseLinks().put(group, link));
    }
    tree.change(
        group,
        entries -> {
          List<HeaderMessage> edited = new ArrayList<>(added);
          edited.addAll(without(entries, e -> e.message() instanceof SymbolTableMessage));
          return edited;
        });
  }

  private boolean isDense() {
    return tree.denseLinks().has(group)
        || tree.header(group).all(LinkInfoMessage.class).stream()
            .anyMatch(LinkInfoMessage::isDense);
  }

  private int mostCompact() {
    return tree.header(group)
        .find(GroupInfoMessage.class)
        .flatMap(GroupInfoMessage::phaseChange)
        .map(PhaseChange::mostCompact)
        .orElse(MOST_COMPACT);
  }

  /**
   * Returns the link with a creation order if the group tracks the creation order, and without one
   * otherwise. Updates the next creation order of the group.
   */
  private LinkMessage numbered(LinkMessage link) {
    LinkInfoMessage info = tree.header(group).require(LinkInfoMessage.class);
    OptionalLong next = info.nextCreationOrder();
    OptionalLong order = OptionalLong.empty();
    if (next.isPresent()) {
      order = link.creationOrder().isPresent() ? link.creationOrder() : next;
      next = OptionalLong.of(Math.max(next.getAsLong(), order.getAsLong() + 1));
    }
    tree.replace(
        group,
        new LinkInfoMessage(
            next, info.heapAddress(), info.nameIndexAddress(), info.orderIndexAddress()));
    return new LinkMessage(link.name(), order, link.characters(), link.target());
  }

  private static List<HeaderMessage> appended(List<HeaderMessage> entries, HeaderMessage added) {
    List<HeaderMessage> edited = new ArrayList<>(entries);
    edited.add(added);
    return edited;
  }

  private static List<HeaderMessage> without(
      List<HeaderMessage> entries, Predicate<HeaderMessage> gone) {
    return entries.stream().filter(gone.negate()).toList();
  }
}
