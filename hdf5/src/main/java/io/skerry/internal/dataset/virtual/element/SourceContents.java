package io.skerry.internal.dataset.virtual.element;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.heap.GlobalHeapWriter;
import io.skerry.internal.value.HeapSink;
import io.skerry.internal.value.StoredContents;
import io.skerry.internal.value.message.ElementFile;
import io.skerry.internal.value.message.HeldContents;
import io.skerry.internal.value.message.HeldObjects;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Access to the heap objects and the HDF5 objects to which elements of a virtual dataset refer,
 * collected from the files of its sources. Heap objects (variable-length content and the data of
 * references) are copied into memory. An HDF5 object in another file is assigned an address beyond
 * the end of the file with the virtual dataset, from which {@link #target} finds the other file and
 * the object. Local; not thread-safe while objects are collected.
 */
public final class SourceContents extends HeldContents implements HeapSink {
  private final StoredContents own;
  private final Map<Value.Target, Long> addresses = new HashMap<>();
  private final List<Elsewhere> elsewhere = new ArrayList<>();

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
   * @param file the file with the virtual dataset
   * @param own the access to the HDF5 objects of that file
   */
  SourceContents(ElementFile file, StoredContents own) {
    super(file, new HeldObjects());
    this.own = own;
  }

  /**
   * Returns a function from the address of an HDF5 object in references of a source to the address
   * of the object in references of the virtual dataset.
   */
  LongUnaryOperator objectsOf(ElementFile source, StoredContents contents) {
    boolean same = source.path().equals(file().path());
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
    if (address < fileSize()) {
      throw new UnsupportedFeatureException(
              "references to "
                  + elsewhere.size()
                  + " objects of other files in a file with addresses of "
                  + widths().offset()
                  + " bytes",
              named.toString())
          .inFile(fileName());
    }
    addresses.put(named, address);
    elsewhere.add(new Elsewhere(named, contents.isObject(target.address())));
    return address;
  }

  /**
   * Returns the highest address below 2^63 that an element can contain and that is not reserved.
   */
  private long first() {
    return widths().offset() < Long.BYTES
        ? (1L << widths().offset() * Byte.SIZE) - 2
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
    return objects().add(content);
  }

  @Override
  public Value.Target target(long address) {
    return at(address).map(Elsewhere::target).orElseGet(() -> own.target(address));
  }

  @Override
  public Optional<String> pathOf(long address) {
    return target(address).path();
  }

  @Override
  public boolean isObject(long address) {
    return at(address).map(Elsewhere::exists).orElseGet(() -> own.isObject(address));
  }
}
