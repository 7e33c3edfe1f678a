package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.dense.DenseLinks;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.DamagedMessage;
import io.skerry.format.message.SharedReference;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.symboltable.SymbolTable;
import io.skerry.spi.ObjectPath;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Visits every object of a file once, along hard links and references to committed datatypes. */
final class ObjectWalk {
  private final FormatFile format;
  private final ByteSource source;
  private final Widths widths;
  private final Findings findings;
  private final SpaceClaims claims;
  private final ValueWalk values;
  private final DataWalk data;
  private final Set<Long> seen = new HashSet<>();
  private final Deque<Visit> pending = new ArrayDeque<>();
  private final Deque<Visit> unlinked = new ArrayDeque<>();
  private long objects;

  private record Visit(long address, ObjectPath path) {
    Findings.Place as(String structure) {
      return new Findings.Place(address, structure, path);
    }
  }

  ObjectWalk(
      FormatFile format, Findings findings, SpaceClaims claims, ValueWalk values, DataWalk data) {
    this.format = format;
    this.source = format.source();
    this.widths = format.widths();
    this.findings = findings;
    this.claims = claims;
    this.values = values;
    this.data = data;
  }

  /**
   * Visits all objects, beginning with the root group.
   *
   * @return the number of objects
   */
  long walk() {
    pending.push(new Visit(format.superblock().rootAddress(), ObjectPath.ROOT));
    while (!pending.isEmpty() || !unlinked.isEmpty()) {
      Visit next = pending.isEmpty() ? unlinked.poll() : pending.pop();
      if (seen.add(next.address)) {
        objects++;
        findings.nextObject();
        header(next).ifPresent(header -> object(header, next));
      }
    }
    return objects;
  }

  private Optional<ObjectHeader> header(Visit at) {
    try {
      ObjectHeader header = format.header(at.address);
      claim(header, at);
      return Optional.of(header);
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException e) {
      findings.add(at.as(SpaceReport.Kind.OBJECT_HEADER.text()), e);
    }
    try {
      claim(ObjectHeader.read(source, widths, at.address), at);
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException e) {
      // The failure was reported above; the continuation blocks of the header are unknown.
    }
    return Optional.empty();
  }

  private void claim(ObjectHeader header, Visit at) {
    List<Block> blocks = new ArrayList<>(List.of(header.placement().first()));
    blocks.addAll(header.placement().continuations());
    claims.add(SpaceReport.Kind.OBJECT_HEADER, at.path, blocks);
  }

  private void object(ObjectHeader header, Visit at) {
    List<Visit> members = new ArrayList<>();
    for (HeaderMessage entry : header.messages()) {
      if (entry.message() instanceof DamagedMessage damaged) {
        String structure = "message 0x%x of the object header".formatted(damaged.type());
        findings.damaged(at.as(structure), damaged.fault());
      }
    }
    for (HeaderMessage entry : header.messages()) {
      entry.shared().ifPresent(reference -> shared(reference, at));
      switch (entry.message()) {
        case LinkMessage link -> member(link, at, members);
        case AttributeMessage attribute -> attribute(attribute, at);
        case SymbolTableMessage table -> symbolTable(table, at, members);
        case LinkInfoMessage info when info.isDense() -> denseLinks(info, at, members);
        case AttributeInfoMessage info when info.isDense() -> denseAttributes(info, at);
        case LayoutMessage _ -> data.check(header, at.path);
        default -> {}
      }
    }
    members.reversed().forEach(pending::push);
  }

  /** Adds a committed datatype, which need not be linked. */
  private void shared(SharedReference reference, Visit at) {
    if (reference instanceof SharedReference.Committed(long address)) {
      unlinked.add(new Visit(address, at.path.annotated(" (its datatype)")));
    }
  }

  private static void member(LinkMessage link, Visit group, List<Visit> members) {
    if (link.target() instanceof LinkTarget.Hard(long address)) {
      members.add(new Visit(address, group.path.child(link.name())));
    }
  }

  private void symbolTable(SymbolTableMessage message, Visit at, List<Visit> members) {
    findings.check(
        new Findings.Place(message.treeAddress(), "symbol table", at.path),
        () -> {
          SymbolTable table = SymbolTable.open(source, widths, message);
          table.links().forEach(link -> member(link, at, members));
          claims.add(SpaceReport.Kind.LINKS, at.path, table.blocks(format.orders()));
        });
  }

  private void denseLinks(LinkInfoMessage info, Visit at, List<Visit> members) {
    findings.check(
        new Findings.Place(info.heapAddress(), "dense links", at.path),
        () -> {
          DenseLinks links = DenseLinks.open(source, widths, info);
          try {
            links.all().forEach(link -> member(link, at, members));
          } catch (FormatException damaged) {
            members.clear();
            membersByOrder(links, at, members);
            throw damaged;
          }
          links.inCreationOrder().ifPresent(ordered -> sameNumber(ordered, links));
          claims.add(SpaceReport.Kind.LINKS, at.path, links.blocks());
        });
  }

  private static void sameNumber(List<LinkMessage> ordered, DenseLinks links) {
    if (ordered.size() != links.size()) {
      throw new FormatException("links in creation order", links.size(), ordered.size());
    }
  }

  /** Adds members by the creation order index, which may be readable if the name index is not. */
  private static void membersByOrder(DenseLinks links, Visit at, List<Visit> members) {
    try {
      links.inCreationOrder().ifPresent(all -> all.forEach(link -> member(link, at, members)));
    } catch (FormatException e) {
      members.clear();
    }
  }

  private void denseAttributes(AttributeInfoMessage info, Visit at) {
    Findings.Place place = new Findings.Place(info.heapAddress(), "dense attributes", at.path);
    findings.check(
        place,
        () -> {
          DenseAttributes dense =
              DenseAttributes.open(source, widths, info, format::pooledAttribute);
          for (DenseAttribute found : dense.all()) {
            findings.check(place, () -> denseAttribute(found, at));
          }
          var unused = dense.inCreationOrder();
          claims.add(SpaceReport.Kind.ATTRIBUTES, at.path, dense.blocks());
        });
  }

  private void denseAttribute(DenseAttribute found, Visit at) {
    ByteReader body = ByteReader.of(found.body(), "dense attribute");
    if (AttributeMessage.decode(body, widths, format.shared())
        instanceof AttributeMessage attribute) {
      attribute(attribute, at);
    }
  }

  private void attribute(AttributeMessage attribute, Visit at) {
    attribute.sharedType().ifPresent(reference -> shared(reference, at));
    findings.check(
        at.as("attribute " + attribute.name()),
        () ->
            values.follow(
                attribute.datatype().datatype(),
                attribute.data().segment(),
                attribute.dataspace().elements()));
  }
}
