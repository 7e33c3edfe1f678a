package io.skerry.internal.tree;

import io.skerry.chunk.bytes.StoredText;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.format.symboltable.SymbolTable;
import io.skerry.format.symboltable.SymbolTableWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The symbol tables of old-style groups that were created or changed since the file was opened. A
 * changed table stays in memory until the next flush; a large table also remains there afterwards.
 * A flush writes each changed table completely to new space, except for its two heads (the root
 * node of the B-tree and the header of the local heap), whose addresses are fixed. Every rank makes
 * the same changes to its copy.
 */
final class SymbolTables {
  /**
   * The minimum number of links in a table that is kept in memory after a flush; smaller tables, of
   * which a file may have many, are read again.
   */
  private static final int KEPT = 64;

  /** The order of the names in a table, which compares their bytes as unsigned values. */
  private static final Comparator<String> BY_BYTES =
      Comparator.comparing(StoredText::encode, Arrays::compareUnsigned);

  private final FormatFile format;
  private final UndoLog log;
  private final Map<Long, Edited> edited = new HashMap<>();
  private final TreeSet<Long> changed = new TreeSet<>();
  private final Map<Long, List<Block>> rendered = new HashMap<>();

  /** The space of tables whose groups were converted to link messages. */
  private final List<Block> abandoned = new ArrayList<>();

  /**
   * A symbol table in memory.
   *
   * @param heads the symbol table message in the header of the group
   * @param links the links by name, in the order of the file
   * @param body the blocks of the table in the file, except for the heads
   */
  private record Edited(
      SymbolTableMessage heads, TreeMap<String, LinkMessage> links, List<Block> body) {}

  /**
   * Creates an empty set of tables.
   *
   * @param log the log that undoes the changes of failed steps
   */
  SymbolTables(FormatFile format, UndoLog log) {
    this.format = format;
    this.log = log;
  }

  /** Adds a new group without links. */
  void begin(long group, SymbolTableMessage heads) {
    log.put(edited, group, new Edited(heads, new TreeMap<>(BY_BYTES), List.of()));
    changes(group);
  }

  /** Returns whether the links of a group are in memory. */
  boolean has(long group) {
    return edited.containsKey(group);
  }

  /** Returns all links of a group that is in memory. */
  List<LinkMessage> links(long group) {
    return List.copyOf(held(group).links().values());
  }

  /** Returns the link with the given name in a group that is in memory. */
  Optional<LinkMessage> link(long group, String name) {
    return Optional.ofNullable(held(group).links().get(name));
  }

  /** Adds a link. */
  void put(long group, SymbolTableMessage heads, LinkMessage link) {
    log.put(load(group, heads).links(), link.name(), link);
    changes(group);
  }

  /** Removes the link with the given name. */
  void remove(long group, SymbolTableMessage heads, String name) {
    log.remove(load(group, heads).links(), name);
    changes(group);
  }

  private void changes(long group) {
    if (changed.add(group)) {
      log.note(() -> changed.remove(group));
    }
  }

  /**
   * Discards the table of a group that is converted to link messages, and returns its links; the
   * next flush frees its space.
   */
  List<LinkMessage> dissolve(long group, SymbolTableMessage heads) {
    List<LinkMessage> links = List.copyOf(load(group, heads).links().values());
    List<Block> before = List.copyOf(abandoned);
    log.note(() -> {
      abandoned.clear();
      abandoned.addAll(before);
    });
    abandoned.addAll(blocks(group, heads));
    forget(group);
    return links;
  }

  /** Returns all blocks of the table of a group, including the heads. */
  List<Block> blocks(long group, SymbolTableMessage heads) {
    Edited known = load(group, heads);
    List<Block> blocks = new ArrayList<>(known.body());
    blocks.addAll(SymbolTableWriter.heads(heads, format.widths(), format.orders()));
    return blocks;
  }

  /** Removes a group from memory. */
  void forget(long group) {
    log.remove(edited, group);
    if (changed.remove(group)) {
      log.note(() -> changed.add(group));
    }
  }

  private Edited held(long group) {
    Edited known = edited.get(group);
    if (known == null) {
      throw new IllegalStateException("no table here: group=0x" + Long.toHexString(group));
    }
    return known;
  }

  private Edited load(long group, SymbolTableMessage heads) {
    Edited known = edited.get(group);
    if (known == null) {
      SymbolTable table = SymbolTable.open(format.source(), format.widths(), heads);
      TreeMap<String, LinkMessage> links = new TreeMap<>(BY_BYTES);
      table.links().forEach(link -> links.put(link.name(), link));
      known = new Edited(heads, links, table.body(format.orders()));
      edited.put(group, known);
    }
    return known;
  }

  /**
   * Returns the symbol table entry of the root group for a superblock of version 0 or 1. If the
   * group has a symbol table, the entry repeats its addresses.
   */
  static SymbolEntry rootEntry(ObjectHeader root, long nameOffset) {
    SymbolEntry.Cached cached =
        root.all(SymbolTableMessage.class).stream()
            .findFirst()
            .<SymbolEntry.Cached>map(
                table -> new SymbolEntry.OfGroup(table.treeAddress(), table.heapAddress()))
            .orElseGet(SymbolEntry.Nothing::new);
    return new SymbolEntry(nameOffset, root.address(), cached);
  }

  boolean isDirty() {
    return !changed.isEmpty() || !abandoned.isEmpty();
  }

  /** Encodes the blocks that a flush must write, and frees the blocks that they replace. */
  void render(SpaceAllocator space, List<BlockImage> blocks) {
    abandoned.forEach(space::freeStored);
    for (long group : changed) {
      Edited table = held(group);
      SymbolTableWriter.Table written =
          new SymbolTableWriter(format.orders(), format.widths(), space)
              .write(List.copyOf(table.links().values()), table.heads());
      table.body().forEach(space::freeStored);
      blocks.addAll(written.images());
      rendered.put(group, written.body());
    }
  }

  void committed() {
    rendered.forEach((group, body) -> {
      Edited old = held(group);
      if (old.links().size() < KEPT) {
        edited.remove(group);
      } else {
        edited.put(group, new Edited(old.heads(), old.links(), body));
      }
    });
    rendered.clear();
    changed.clear();
    abandoned.clear();
  }

  void rolledBack() {
    rendered.clear();
  }
}
