package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.exception.FormatException;
import io.skerry.exception.MemoryLimitException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.DamagedMessage;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.internal.verify.ObjectQueue.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Visits every object of a file once, along hard links and references to committed datatypes. */
final class ObjectWalk {
  private final FormatFile format;
  private final Findings findings;
  private final SpaceClaims claims;
  private final DataWalk data;
  private final LinkWalk links;
  private final AttributeWalk attributes;
  private final ObjectQueue objects;

  ObjectWalk(
      FormatFile format, Findings findings, SpaceClaims claims, ValueWalk values, DataWalk data) {
    this.format = format;
    this.findings = findings;
    this.claims = claims;
    this.data = data;
    this.objects = new ObjectQueue(format.superblock().rootAddress());
    this.links = new LinkWalk(format, findings, claims);
    this.attributes = new AttributeWalk(format, findings, claims, values, objects);
  }

  /**
   * Visits all objects, beginning with the root group.
   *
   * @return the number of objects
   */
  long walk() {
    Optional<Visit> next = objects.next();
    while (next.isPresent()) {
      Visit at = next.get();
      findings.nextObject();
      header(at).ifPresent(header -> object(header, at));
      next = objects.next();
    }
    return objects.visited();
  }

  private Optional<ObjectHeader> header(Visit at) {
    try {
      ObjectHeader header = format.header(at.address());
      claims.add(header, at.path());
      return Optional.of(header);
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException e) {
      findings.add(at.as(SpaceReport.Kind.OBJECT_HEADER.text()), e);
    }
    try {
      claims.add(ObjectHeader.read(format.source(), format.widths(), at.address()), at.path());
    } catch (FormatException | UnsupportedFeatureException | MemoryLimitException e) {
      // The failure was reported above; the continuation blocks of the header are unknown.
    }
    return Optional.empty();
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
      entry.shared().ifPresent(reference -> objects.addType(reference, at));
      switch (entry.message()) {
        case LinkMessage link -> links.compact(link, at, members);
        case AttributeMessage attribute -> attributes.check(attribute, at);
        case SymbolTableMessage table -> links.symbolTable(table, at, members);
        case LinkInfoMessage info when info.isDense() -> links.dense(info, at, members);
        case AttributeInfoMessage info when info.isDense() -> attributes.dense(info, at);
        case LayoutMessage _ -> data.check(header, at.path());
        default -> {}
      }
    }
    objects.addMembers(members);
  }
}
