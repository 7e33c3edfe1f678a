package io.skerry.internal.tree;

import io.skerry.AttributeOrder;
import io.skerry.LinkOrder;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.superblock.Superblock;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.format.superblock.TreeOrders;

/**
 * The metadata of a new file, which contains only a root group.
 *
 * @param tree the objects of the file
 * @param space the allocator of the space after these objects
 */
public record NewFile(ObjectTree tree, SpaceAllocator space) {

  /**
   * Creates the metadata of a new file.
   *
   * @param source the empty file
   * @param bounds the format version bounds
   * @param log the log that undoes the changes of failed steps
   */
  public static NewFile begin(ByteSource source, FormatBounds bounds, UndoLog log) {
    boolean earliest = bounds == FormatBounds.EARLIEST;
    Superblock nowhere =
        earliest ? Superblock.earliest(0, SymbolEntry.hard(0, 0)) : Superblock.of(0, 0);
    SpaceAllocator space = SpaceAllocator.startingAt(nowhere.size());
    ObjectForms forms = new ObjectForms(bounds, Widths.EIGHT, TreeOrders.DEFAULT);
    ObjectHeader root = forms.group(LinkOrder.UNTRACKED, AttributeOrder.UNTRACKED, space);
    Superblock superblock =
        earliest
            ? Superblock.earliest(0, SymbolTables.rootEntry(root, 0))
            : Superblock.of(0, root.address());
    ObjectTree tree = new ObjectTree(FormatFile.beginning(source, superblock), bounds, log);
    tree.addNew(root);
    return new NewFile(tree, space);
  }
}
