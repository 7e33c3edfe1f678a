package io.skerry.format.object;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.Widths;

/**
 * A message of an object header: one record per kind, each with the ruler of its bytes and a static
 * {@code decode} beside its {@link #encode}. Messages are values; where they stand is the header's
 * business.
 */
public sealed interface Message
    permits AttributeInfoMessage,
        AttributeMessage,
        CacheImageMessage,
        CommentMessage,
        ContinuationMessage,
        DamagedMessage,
        DataspaceMessage,
        DatatypeMessage,
        DriverInfoMessage,
        ExternalFilesMessage,
        FillValueMessage,
        FilterPipelineMessage,
        GroupInfoMessage,
        LayoutMessage,
        LinkInfoMessage,
        LinkMessage,
        ModificationTimeMessage,
        NilMessage,
        OldFillValueMessage,
        OldModificationTimeMessage,
        ReferenceCountMessage,
        SectionPipelineMessage,
        SharedMessage,
        SharedTableMessage,
        SymbolTableMessage,
        TreeOrdersMessage,
        UnknownMessage {

  /** The number of its kind in the message header. */
  int type();

  /** Appends the body, without the message header. */
  void encode(ByteWriter out, Widths widths);

  /**
   * Appends the body in the oldest form that holds it, as headers of version 1 have it. Layouts and
   * datatypes stay in the form they were made in.
   */
  default void encodeEarliest(ByteWriter out, Widths widths) {
    encode(out, widths);
  }
}
