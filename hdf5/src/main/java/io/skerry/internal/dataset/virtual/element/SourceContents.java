package io.skerry.internal.dataset.virtual;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.block.Widths;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.StoredContents;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * The contents to which elements of a virtual dataset refer, collected from the files of its
 * sources. Heap objects are copied into memory. An object in another file is assigned an address
 * beyond the end of the file with the virtual dataset, from which {@link #target} finds the other
 * file and the object. Local, not thread-safe while contents are collected.
 */
public final class SourceContents implements StoredContents, HeapSink {
  private static final int OBJECTS_PER_COLLECTION = 65535;

  private final StoredContents file;
  private final Path path;
  private final Widths widths;
  private final List<MemorySegment> objects = new ArrayList<>();
  private final Map<Value.Target, Long> addresses = new HashMap<>();
  private final List<Elsewhere> elsewhere = new ArrayList<>();
  private long bytes;

  /**
   * An object of another file.
   *
   * @param target the file, the path in it and the address in it
   * @param exists true if the header of the object can be read
   */
  private record Elsewhere(Value.Target target, boolean exists) {}

  /**
   * Creates an empty collection.
   *
   * @param dataset the virtual dataset
   */
  SourceContents(NativeDataset dataset) {
    this.file = dataset.file().contents();
    this.path = absolute(dataset);
    this.widths = new Widths(file.widths().offset(), file.widths().length());
  }

  private static Path absolute(NativeDataset dataset) {
    return dataset.file().path().toAbsolutePath().normalize();
  }

  /**
   * Returns a function from the address of an object, as found in the contents of a source, to its
   * address in these contents.
   */
  LongUnaryOperator objectsOf(NativeDataset source, StoredContents contents) {
    boolean same = absolute(source).equals(path);
    return address -> {
      Value.Target target = contents.target(address);
      return same && target.file().isEmpty() ? address : addressOf(target, contents);
    };
  }

  private long addressOf(Value.Target target, StoredContents contents) {
    Value.Target named =
        new Value.Target(
            target.file().or(() -> Optional.of(contents.fileName())),
            target.path(),
            target.address());
    Long known = addresses.get(named);
    if (known != null) {
      return known;
    }
    long address = first() - elsewhere.size();
    if (address < file.fileSize()) {
      throw new UnsupportedFeatureException(
              "references to "
                  + elsewhere.size()
                  + " objects of other files in a file with addresses of "
                  + widths.offset()
                  + " bytes",
              named.toString())
          .inFile(fileName());
    }
    addresses.put(named, address);
    elsewhere.add(new Elsewhere(named, contents.isObject(target.address())));
    return address;
  }

  /** Returns the highest address that an element can contain and that is not reserved. */
  private long first() {
    return widths.offset() < Long.BYTES
        ? (1L << widths.offset() * Byte.SIZE) - 2
        : Long.MAX_VALUE - 1;
  }

  private Optional<Elsewhere> at(long address) {
    long number = first() - address;
    return number >= 0 && number < elsewhere.size()
        ? Optional.of(elsewhere.get((int) number))
        : Optional.empty();
  }

  /** Returns whether an address denotes an object in another file. */
  public boolean isElsewhere(long address) {
    return at(address).isPresent();
  }

  @Override
  public GlobalHeapWriter.Reference add(MemorySegment content) {
    int number = objects.size();
    objects.add(MemorySegment.ofArray(content.toArray(ValueLayout.JAVA_BYTE)));
    bytes += content.byteSize();
    return new GlobalHeapWriter.Reference(
        1 + number / OBJECTS_PER_COLLECTION, 1 + number % OBJECTS_PER_COLLECTION);
  }

  @Override
  public MemorySegment heapObject(long collection, int index) {
    long number = (collection - 1) * OBJECTS_PER_COLLECTION + index - 1;
    if (number < 0 || number >= objects.size()) {
      throw new FormatException(
          "heap object of a virtual element", "0.." + (objects.size() - 1), number);
    }
    return objects.get((int) number);
  }

  @Override
  public Value.Target target(long address) {
    return at(address).map(Elsewhere::target).orElseGet(() -> file.target(address));
  }

  @Override
  public Optional<String> pathOf(long address) {
    return target(address).path();
  }

  @Override
  public boolean isObject(long address) {
    return at(address).map(Elsewhere::exists).orElseGet(() -> file.isObject(address));
  }

  @Override
  public String fileName() {
    return file.fileName();
  }

  @Override
  public Widths widths() {
    return widths;
  }

  @Override
  public long fileSize() {
    return file.fileSize();
  }

  @Override
  public long contentSize() {
    return bytes;
  }
}
