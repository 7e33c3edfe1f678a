package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.chunk.content.PackedContent;
import io.skerry.datatype.ArrayType;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.VariableLength;
import io.skerry.format.block.Widths;
import io.skerry.format.file.FormatFile;
import io.skerry.format.heap.GlobalHeap;
import io.skerry.internal.value.CanonicalForm;
import io.skerry.internal.value.PackedContents;
import io.skerry.internal.value.StoredContents;
import io.skerry.spi.ObjectPath;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Follows values into the global heap, verifies that all content exists, and claims the space of
 * each collection once. Targets of object references are not verified, since an object may be
 * deleted while references to it still exist.
 */
final class ValueWalk implements StoredContents {
  private final FormatFile format;
  private final GlobalHeap heap;
  private final SpaceClaims claims;
  private final Set<Long> collections = new HashSet<>();

  ValueWalk(FormatFile format, SpaceClaims claims) {
    this.format = format;
    this.heap = GlobalHeap.open(format.source(), format.widths());
    this.claims = claims;
  }

  /** Returns whether a type contains variable-length parts or references. */
  static boolean leadElsewhere(Datatype type) {
    return switch (type) {
      case VariableLength _, Reference _ -> true;
      case ArrayType array -> leadElsewhere(array.base());
      case Compound compound ->
          compound.members().stream().anyMatch(member -> leadElsewhere(member.type()));
      default -> false;
    };
  }

  /**
   * Follows a packed run of values.
   *
   * @throws io.skerry.exception.FormatException if the content of a value is missing or damaged
   */
  void follow(Datatype type, MemorySegment packed, long count) {
    follow(type, packed, count, this);
  }

  /** Follows values that are packed with their content. */
  void follow(Datatype type, PackedContent packed, long count) {
    follow(type, packed.elements(), count, new PackedContents(this, packed));
  }

  private static void follow(
      Datatype type, MemorySegment packed, long count, StoredContents contents) {
    if (count > 0 && leadElsewhere(type)) {
      new CanonicalForm(type, contents).write(packed, count, _ -> {});
    }
  }

  @Override
  public String fileName() {
    return format.source().name();
  }

  @Override
  public Widths widths() {
    return format.widths();
  }

  @Override
  public long fileSize() {
    return format.source().size();
  }

  @Override
  public MemorySegment heapObject(long collection, int index) {
    MemorySegment object = heap.object(collection, index);
    if (collections.add(collection)) {
      claims.add(SpaceReport.Kind.GLOBAL_HEAP, ObjectPath.ROOT, List.of(heap.block(collection)));
    }
    return object;
  }

  @Override
  public Optional<String> pathOf(long address) {
    return Optional.empty();
  }

  @Override
  public boolean isObject(long address) {
    return true;
  }
}
