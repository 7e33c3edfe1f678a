package io.skerry.internal.tree;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.dense.DenseAttributesEditor;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.dense.DenseLinksEditor;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.Message;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.PhaseChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Encodes changes to dense links and attributes as blocks for one flush. As in HDF5, if removals
 * leave so few entries that the header can hold them, the remaining entries move back to the
 * header. The headers that the methods return are valid only if that flush succeeds.
 */
final class DenseRendering {
  /** The default number of entries below which all entries move back to the header. */
  private static final int FEWEST_DENSE = 6;

  private static final int MOST_BYTES = 0xffff;

  private final FormatFile format;
  private final SpaceAllocator space;
  private final List<BlockImage> blocks;

  /**
   * Creates the encoder for one flush.
   *
   * @param space the allocator that allocates and frees the blocks
   * @param blocks the list to which the blocks to write are added
   */
  DenseRendering(FormatFile format, SpaceAllocator space, List<BlockImage> blocks) {
    this.format = format;
    this.space = space;
    this.blocks = blocks;
  }

  /**
   * Encodes changes to the links of a group, and returns the changed header.
   *
   * @param changes the new link for each changed name; empty if the link is removed
   * @param all a supplier of all links after the changes
   */
  ObjectHeader links(
      ObjectHeader header,
      Map<String, Optional<LinkMessage>> changes,
      Supplier<List<LinkMessage>> all) {
    LinkInfoMessage info = header.require(LinkInfoMessage.class);
    Optional<DenseLinks> stored =
        info.isDense()
            ? Optional.of(DenseLinks.open(format.source(), format.widths(), info))
            : Optional.empty();
    int fewest =
        header
            .find(GroupInfoMessage.class)
            .flatMap(GroupInfoMessage::phaseChange)
            .map(PhaseChange::fewestDense)
            .orElse(FEWEST_DENSE);
    if (mayBeFew(changes, stored.map(DenseLinks::size).orElse(0L), fewest)) {
      List<LinkMessage> left = all.get();
      if (left.isEmpty() || left.size() < fewest && left.stream().allMatch(this::fits)) {
        stored.ifPresent(dense -> free(dense.blocks()));
        LinkInfoMessage nowhere =
            new LinkInfoMessage(
                info.nextCreationOrder(),
                FileAddress.UNDEFINED,
                FileAddress.UNDEFINED,
                undefined(info.orderIndexAddress()));
        return with(header, nowhere, left.stream().map(HeaderMessage::of).toList());
      }
    }
    DenseLinksEditor editor;
    if (info.isDense()) {
      editor = DenseLinksEditor.open(format.source(), format.widths(), info, space);
      changes.forEach((name, change) -> {
        Optional<LinkMessage> unused = editor.remove(name);
        change.ifPresent(editor::add);
      });
    } else {
      editor = DenseLinksEditor.create(format.widths(), info, all.get(), space);
    }
    DenseLinksEditor.Commit commit = editor.commit();
    blocks.addAll(commit.images());
    return with(header, commit.info(), List.of());
  }

  /**
   * Encodes changes to the attributes of an object, and returns the changed header.
   *
   * @param changes the new attribute for each changed name; empty if the attribute is removed
   * @param all a supplier of all attributes after the changes
   */
  ObjectHeader attributes(
      ObjectHeader header,
      Map<String, Optional<HeaderMessage>> changes,
      Supplier<List<HeaderMessage>> all) {
    AttributeInfoMessage info = header.require(AttributeInfoMessage.class);
    Optional<DenseAttributes> stored =
        info.isDense()
            ? Optional.of(
                DenseAttributes.open(
                    format.source(), format.widths(), info, format::pooledAttribute))
            : Optional.empty();
    int fewest = header.prefix().phaseChange().map(PhaseChange::fewestDense).orElse(FEWEST_DENSE);
    if (mayBeFew(changes, stored.map(DenseAttributes::size).orElse(0L), fewest)) {
      List<HeaderMessage> left = all.get();
      if (left.isEmpty()
          || left.size() < fewest && left.stream().allMatch(DenseRendering::fitsHeader)) {
        stored.ifPresent(dense -> free(dense.blocks()));
        AttributeInfoMessage nowhere =
            new AttributeInfoMessage(
                info.nextCreationOrder(),
                FileAddress.UNDEFINED,
                FileAddress.UNDEFINED,
                undefined(info.orderIndexAddress()));
        return with(header, nowhere, left);
      }
    }
    DenseAttributesEditor editor =
        info.isDense()
            ? DenseAttributesEditor.open(
                format.source(), format.widths(), info, format::pooledAttribute, space)
            : DenseAttributesEditor.create(format.widths(), info, space);
    apply(editor, changes);
    DenseAttributesEditor.Commit commit = editor.commit();
    blocks.addAll(commit.images());
    return with(header, commit.info(), List.of());
  }

  /**
   * Applies changes. Attributes that are deleted or whose creation order changes are removed first,
   * so that other attributes can be added with the old creation orders.
   */
  private static void apply(
      DenseAttributesEditor editor, Map<String, Optional<HeaderMessage>> changes) {
    changes.forEach((name, change) -> {
      Optional<OptionalInt> order = editor.find(name).map(DenseAttribute::creationOrder);
      if (order.isPresent() && !order.equals(change.map(HeaderMessage::creationOrder))) {
        boolean unused = editor.remove(name);
      }
    });
    changes.forEach((name, change) -> change.ifPresent(entry -> put(editor, name, entry)));
  }

  private static void put(DenseAttributesEditor editor, String name, HeaderMessage entry) {
    AttributeMessage attribute = (AttributeMessage) entry.message();
    OptionalInt order = entry.creationOrder();
    if (editor.find(name).isPresent()) {
      editor.replace(attribute);
    } else if (order.isPresent()) {
      editor.add(attribute, order.getAsInt());
    } else {
      editor.add(attribute);
    }
  }

  /**
   * Returns whether entries were removed and fewer than {@code fewest} may remain. As in HDF5, only
   * removals move entries back to the header.
   */
  private static boolean mayBeFew(
      Map<String, ? extends Optional<?>> changes, long stored, int fewest) {
    long removed = changes.values().stream().filter(Optional::isEmpty).count();
    return removed > 0 && stored - removed < fewest;
  }

  private boolean fits(LinkMessage link) {
    ByteWriter out = ByteWriter.create();
    link.encode(out, format.widths());
    return out.position() <= MOST_BYTES;
  }

  private static boolean fitsHeader(HeaderMessage entry) {
    return !entry.isShared() && AttributeEditor.fits((AttributeMessage) entry.message());
  }

  private void free(List<Block> gone) {
    gone.forEach(space::freeStored);
  }

  private static OptionalLong undefined(OptionalLong index) {
    return index.isPresent() ? OptionalLong.of(FileAddress.UNDEFINED) : index;
  }

  private static ObjectHeader with(ObjectHeader header, Message info, List<HeaderMessage> compact) {
    List<HeaderMessage> edited = new ArrayList<>();
    for (HeaderMessage entry : header.messages()) {
      edited.add(entry.message().type() == info.type() ? entry.with(info) : entry);
    }
    edited.addAll(compact);
    return new ObjectHeader(header.prefix(), edited, header.placement());
  }
}
