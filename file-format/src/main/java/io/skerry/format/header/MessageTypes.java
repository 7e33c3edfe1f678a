package io.skerry.format.header;

import static java.util.Map.entry;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;
import io.skerry.format.layout.LayoutMessage;
import io.skerry.format.message.CacheImageMessage;
import io.skerry.format.message.CommentMessage;
import io.skerry.format.message.ContinuationMessage;
import io.skerry.format.message.DriverInfoMessage;
import io.skerry.format.message.FileSpaceInfoMessage;
import io.skerry.format.message.Message;
import io.skerry.format.message.ModificationTimeMessage;
import io.skerry.format.message.NilMessage;
import io.skerry.format.message.OldModificationTimeMessage;
import io.skerry.format.message.ReferenceCountMessage;
import io.skerry.format.message.SharedMessageResolver;
import io.skerry.format.message.SharedTableMessage;
import io.skerry.format.message.TreeOrdersMessage;
import io.skerry.format.message.UnknownMessage;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import io.skerry.format.message.dataset.DataspaceMessage;
import io.skerry.format.message.dataset.DatatypeMessage;
import io.skerry.format.message.dataset.ExternalFilesMessage;
import io.skerry.format.message.dataset.FillValueMessage;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import io.skerry.format.message.dataset.OldFillValueMessage;
import io.skerry.format.message.dataset.SectionPipelineMessage;
import io.skerry.format.message.group.GroupInfoMessage;
import io.skerry.format.message.group.LinkInfoMessage;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.SymbolTableMessage;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Maps object header message types to their classes and decodes their bodies. Source: HDF5 File
 * Format Specification 3.0, section IV.A.2, "Data Object Header Messages".
 */
public final class MessageTypes {
  /** Highest defined message type. */
  private static final int LAST = 0x0019;

  /** The Bogus message, which only the tests of the HDF5 library use. */
  private static final int BOGUS = 0x0009;

  private static final Map<Class<?>, Integer> NUMBERS =
      Map.ofEntries(
          entry(AttributeInfoMessage.class, AttributeInfoMessage.TYPE),
          entry(AttributeMessage.class, AttributeMessage.TYPE),
          entry(CacheImageMessage.class, CacheImageMessage.TYPE),
          entry(CommentMessage.class, CommentMessage.TYPE),
          entry(ContinuationMessage.class, ContinuationMessage.TYPE),
          entry(DataspaceMessage.class, DataspaceMessage.TYPE),
          entry(DatatypeMessage.class, DatatypeMessage.TYPE),
          entry(DriverInfoMessage.class, DriverInfoMessage.TYPE),
          entry(ExternalFilesMessage.class, ExternalFilesMessage.TYPE),
          entry(FileSpaceInfoMessage.class, FileSpaceInfoMessage.TYPE),
          entry(FillValueMessage.class, FillValueMessage.TYPE),
          entry(FilterPipelineMessage.class, FilterPipelineMessage.TYPE),
          entry(GroupInfoMessage.class, GroupInfoMessage.TYPE),
          entry(LinkInfoMessage.class, LinkInfoMessage.TYPE),
          entry(LinkMessage.class, LinkMessage.TYPE),
          entry(ModificationTimeMessage.class, ModificationTimeMessage.TYPE),
          entry(NilMessage.class, NilMessage.TYPE),
          entry(OldFillValueMessage.class, OldFillValueMessage.TYPE),
          entry(OldModificationTimeMessage.class, OldModificationTimeMessage.TYPE),
          entry(ReferenceCountMessage.class, ReferenceCountMessage.TYPE),
          entry(SectionPipelineMessage.class, SectionPipelineMessage.TYPE),
          entry(SharedTableMessage.class, SharedTableMessage.TYPE),
          entry(SymbolTableMessage.class, SymbolTableMessage.TYPE),
          entry(TreeOrdersMessage.class, TreeOrdersMessage.TYPE));

  private static final List<String> NAMES =
      IntStream.rangeClosed(0, LAST).mapToObj(MessageTypes::format).toList();

  private MessageTypes() {}

  /** Returns the name of a message type for error messages. */
  static String name(int type) {
    return type >= 0 && type < NAMES.size() ? NAMES.get(type) : format(type);
  }

  private static String format(int type) {
    return String.format("message 0x%04x", type);
  }

  /** Returns whether the message type is defined, even if this library does not decode it. */
  static boolean isKnown(int type) {
    return type <= LAST && type != BOGUS;
  }

  /** Returns the type of a message class; -1 if messages of the class can have different types. */
  static int of(Class<? extends Message> kind) {
    return LayoutMessage.class.isAssignableFrom(kind)
        ? LayoutMessage.TYPE
        : NUMBERS.getOrDefault(kind, -1);
  }

  /**
   * Decodes the body of a message.
   *
   * @param type the message type
   * @param in a reader of the body
   * @param widths the sizes of offsets and lengths in the file
   * @param shared the resolver for parts of the message that are stored elsewhere
   */
  public static Message decode(
      int type, ByteReader in, Widths widths, SharedMessageResolver shared) {
    return switch (type) {
      case NilMessage.TYPE -> new NilMessage((int) in.remaining());
      case DataspaceMessage.TYPE -> DataspaceMessage.decode(in, widths);
      case LinkInfoMessage.TYPE -> LinkInfoMessage.decode(in, widths);
      case DatatypeMessage.TYPE -> DatatypeMessage.decode(in);
      case OldFillValueMessage.TYPE -> OldFillValueMessage.decode(in);
      case FillValueMessage.TYPE -> FillValueMessage.decode(in);
      case LinkMessage.TYPE -> LinkMessage.decode(in, widths);
      case LayoutMessage.TYPE -> LayoutMessage.decode(in, widths);
      case GroupInfoMessage.TYPE -> GroupInfoMessage.decode(in);
      case FilterPipelineMessage.TYPE -> FilterPipelineMessage.decode(in);
      case AttributeMessage.TYPE -> AttributeMessage.decode(in, widths, shared);
      case ExternalFilesMessage.TYPE -> ExternalFilesMessage.decode(in, widths);
      case CommentMessage.TYPE -> CommentMessage.decode(in);
      case ContinuationMessage.TYPE -> ContinuationMessage.decode(in, widths);
      case SymbolTableMessage.TYPE -> SymbolTableMessage.decode(in, widths);
      case OldModificationTimeMessage.TYPE -> OldModificationTimeMessage.decode(in);
      case SharedTableMessage.TYPE -> SharedTableMessage.decode(in, widths);
      case TreeOrdersMessage.TYPE -> TreeOrdersMessage.decode(in);
      case DriverInfoMessage.TYPE -> DriverInfoMessage.decode(in);
      case FileSpaceInfoMessage.TYPE -> FileSpaceInfoMessage.decode(in, widths);
      case CacheImageMessage.TYPE -> CacheImageMessage.decode(in, widths);
      case ModificationTimeMessage.TYPE -> ModificationTimeMessage.decode(in);
      case AttributeInfoMessage.TYPE -> AttributeInfoMessage.decode(in, widths);
      case ReferenceCountMessage.TYPE -> ReferenceCountMessage.decode(in);
      case SectionPipelineMessage.TYPE -> SectionPipelineMessage.decode(in);
      default -> new UnknownMessage(type, Bytes.of(in.slice(in.remaining())));
    };
  }
}
