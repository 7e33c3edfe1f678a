package io.skerry;

import io.skerry.format.BlockImage;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.dense.DenseAttributesEditor;
import io.skerry.format.dense.DenseLinksEditor;
import io.skerry.format.file.FormatFile;
import io.skerry.format.object.AttributeInfoMessage;
import io.skerry.format.object.AttributeMessage;
import io.skerry.format.object.HeaderMessage;
import io.skerry.format.object.LinkInfoMessage;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.Message;
import io.skerry.format.object.ObjectHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns changes of dense links and attributes into blocks, for one flush. The header that it
 * returns counts only if that flush succeeds.
 */
final class DenseRendering {
  private final FormatFile format;
  private final SpaceAllocator space;
  private final List<BlockImage> blocks;

  /**
   * @param space gives and takes back the blocks
   * @param blocks receives what is to be written
   */
  DenseRendering(FormatFile format, SpaceAllocator space, List<BlockImage> blocks) {
    this.format = format;
    this.space = space;
    this.blocks = blocks;
  }

  ObjectHeader links(ObjectHeader header, Map<String, Optional<LinkMessage>> changes) {
    LinkInfoMessage info = header.require(LinkInfoMessage.class);
    DenseLinksEditor editor;
    if (info.isDense()) {
      editor = DenseLinksEditor.open(format.source(), format.widths(), info, space);
      changes.forEach((name, change) -> {
        Optional<LinkMessage> unused = editor.remove(name);
        change.ifPresent(editor::add);
      });
    } else {
      List<LinkMessage> links = changes.values().stream().flatMap(Optional::stream).toList();
      if (links.isEmpty()) {
        return header;
      }
      editor = DenseLinksEditor.create(format.widths(), info, links, space);
    }
    DenseLinksEditor.Commit commit = editor.commit();
    blocks.addAll(commit.images());
    return with(header, commit.info());
  }

  ObjectHeader attributes(ObjectHeader header, Map<String, Optional<AttributeMessage>> changes) {
    AttributeInfoMessage info = header.require(AttributeInfoMessage.class);
    DenseAttributesEditor editor;
    if (info.isDense()) {
      editor =
          DenseAttributesEditor.open(
              format.source(), format.widths(), info, format::pooledAttribute, space);
      changes.forEach((name, change) -> {
        if (change.isPresent() && editor.find(name).isPresent()) {
          editor.replace(change.get());
        } else {
          boolean unused = change.isEmpty() && editor.remove(name);
          change.ifPresent(editor::add);
        }
      });
    } else {
      if (changes.values().stream().noneMatch(Optional::isPresent)) {
        return header;
      }
      editor = DenseAttributesEditor.create(format.widths(), info, space);
      changes.values().forEach(change -> change.ifPresent(editor::add));
    }
    DenseAttributesEditor.Commit commit = editor.commit();
    blocks.addAll(commit.images());
    return with(header, commit.info());
  }

  private static ObjectHeader with(ObjectHeader header, Message info) {
    List<HeaderMessage> edited = new ArrayList<>();
    for (HeaderMessage entry : header.messages()) {
      edited.add(entry.message().type() == info.type() ? entry.with(info) : entry);
    }
    return new ObjectHeader(header.prefix(), edited, header.placement());
  }
}
