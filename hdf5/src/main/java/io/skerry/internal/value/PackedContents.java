package io.skerry.internal.value;

import io.skerry.chunk.content.PackedContent;
import io.skerry.datatype.VariableLength;
import io.skerry.format.block.Widths;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Access to variable-length content that is packed together with the elements that refer to it.
 * Data that is not packed, such as the data of references, is in the file.
 *
 * @param file the access to the file that contains the elements
 * @param packed the elements and their variable-length content
 */
public record PackedContents(StoredContents file, PackedContent packed) implements StoredContents {
  @Override
  public Optional<MemorySegment> variable(VariableLength type, MemorySegment in, long at) {
    return PackedContent.isNull(in, at)
        ? Optional.empty()
        : Optional.of(packed.content(in, at, StoredContents.baseSize(type)));
  }

  @Override
  public String fileName() {
    return file.fileName();
  }

  @Override
  public Widths widths() {
    return file.widths();
  }

  @Override
  public long fileSize() {
    return file.fileSize();
  }

  @Override
  public long contentSize() {
    return packed.content().byteSize();
  }

  @Override
  public MemorySegment heapObject(long collection, int index) {
    return file.heapObject(collection, index);
  }

  @Override
  public Value.Target target(long address) {
    return file.target(address);
  }

  @Override
  public Optional<String> pathOf(long address) {
    return file.pathOf(address);
  }

  @Override
  public boolean isObject(long address) {
    return file.isObject(address);
  }
}
