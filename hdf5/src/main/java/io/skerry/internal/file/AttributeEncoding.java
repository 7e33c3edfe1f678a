package io.skerry.internal.file;

import io.skerry.Attribute;
import io.skerry.format.Bytes;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;

/** Converts attributes to and from their messages. */
final class AttributeEncoding {
  private AttributeEncoding() {}

  static Attribute decode(AttributeMessage message) {
    return Attribute.of(
        message.name(),
        message.datatype().datatype(),
        message.dataspace().shape(),
        message.data().segment());
  }

  static AttributeMessage encode(Attribute attribute) {
    DataspaceMessage space =
        attribute.hasNoElements()
            ? DataspaceMessage.empty()
            : DataspaceMessage.of(attribute.shape());
    return AttributeMessage.of(
        attribute.name(),
        DatatypeMessage.of(attribute.datatype()),
        space,
        Bytes.of(attribute.segment()));
  }
}
