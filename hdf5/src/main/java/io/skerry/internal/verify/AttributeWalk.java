package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.file.FormatFile;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.internal.verify.ObjectQueue.Visit;

/**
 * Verifies the attributes of an object, and adds the committed datatypes that they share to the
 * objects to visit.
 */
final class AttributeWalk {
  private final FormatFile format;
  private final Findings findings;
  private final SpaceClaims claims;
  private final ValueWalk values;
  private final ObjectQueue objects;

  /**
   * Creates a walk over the attributes of a file.
   *
   * @param objects the queue to which committed datatypes are added
   */
  AttributeWalk(
      FormatFile format,
      Findings findings,
      SpaceClaims claims,
      ValueWalk values,
      ObjectQueue objects) {
    this.format = format;
    this.findings = findings;
    this.claims = claims;
    this.values = values;
    this.objects = objects;
  }

  /** Verifies one attribute, which is stored in the object header or in dense storage. */
  void check(AttributeMessage attribute, Visit object) {
    attribute.sharedType().ifPresent(reference -> objects.addType(reference, object));
    findings.check(
        object.as("attribute " + attribute.name()),
        () ->
            values.follow(
                attribute.datatype().datatype(),
                attribute.data().segment(),
                attribute.dataspace().elements()));
  }

  void dense(AttributeInfoMessage info, Visit object) {
    Findings.Place place =
        new Findings.Place(info.heapAddress(), "dense attributes", object.path());
    findings.check(
        place,
        () -> {
          DenseAttributes dense =
              DenseAttributes.open(format.source(), format.widths(), info, format::pooledAttribute);
          for (DenseAttribute found : dense.all()) {
            findings.check(place, () -> decode(found, object));
          }
          var unused = dense.inCreationOrder();
          claims.add(SpaceReport.Kind.ATTRIBUTES, object.path(), dense.blocks());
        });
  }

  private void decode(DenseAttribute found, Visit object) {
    ByteReader body = ByteReader.of(found.body(), "dense attribute");
    if (AttributeMessage.decode(body, format.widths(), format.shared())
        instanceof AttributeMessage attribute) {
      check(attribute, object);
    }
  }
}
