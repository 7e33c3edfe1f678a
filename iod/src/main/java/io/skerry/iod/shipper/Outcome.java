package io.skerry.iod.shipper;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.Version;
import io.skerry.iod.shipper.wire.PageCodec;
import io.skerry.iod.shipper.wire.Result;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Optional;

/** The result of a call with its payload, before it is encoded or after it was decoded. */
sealed interface Outcome {
  /** A result without payload. */
  record Plain(Result result) implements Outcome {}

  /** A value that was read. */
  record Value(MemorySegment bytes) implements Outcome {}

  /** A page of versions. */
  record Versions(Page<Version> page) implements Outcome {}

  /** A page of values. */
  record Entries(Page<Entry> page) implements Outcome {}

  /** A list of numbers. */
  record Numbers(List<Long> numbers) implements Outcome {}

  /** A list of texts. */
  record Lines(List<String> lines) implements Outcome {}

  /** Returns the outcome of a call that returns nothing. */
  static Outcome done() {
    return new Plain(new Result.Done());
  }

  /** Returns the message of this outcome. */
  default Result result() {
    return switch (this) {
      case Plain plain -> plain.result;
      case Value _ -> new Result.Value();
      case Versions _ -> new Result.Versions();
      case Entries _ -> new Result.Entries();
      case Numbers _ -> new Result.Numbers();
      case Lines _ -> new Result.Lines();
    };
  }

  /** Returns the payload of the message; a value is not copied. */
  default MemorySegment payload(SegmentAllocator memory) {
    return switch (this) {
      case Plain _ -> MemorySegment.NULL;
      case Value value -> value.bytes;
      case Versions versions -> MemorySegment.ofArray(PageCodec.versions(versions.page));
      case Entries entries -> joined(entries.page, memory);
      case Numbers numbers -> MemorySegment.ofArray(PageCodec.numbers(numbers.numbers));
      case Lines lines -> MemorySegment.ofArray(PageCodec.lines(lines.lines));
    };
  }

  private static MemorySegment joined(Page<Entry> page, SegmentAllocator memory) {
    MemorySegment head = MemorySegment.ofArray(PageCodec.entries(page));
    long size = head.byteSize();
    for (Entry entry : page.items()) {
      size = Math.addExact(size, entry.value().byteSize());
    }
    MemorySegment joined = memory.allocate(size);
    joined.copyFrom(head);
    long at = head.byteSize();
    for (Entry entry : page.items()) {
      joined.asSlice(at).copyFrom(entry.value());
      at += entry.value().byteSize();
    }
    return joined;
  }

  /**
   * Decodes a result that was received.
   *
   * @throws FormatException if the payload is damaged
   */
  static Outcome of(Result result, MemorySegment payload) {
    return switch (result) {
      case Result.Value _ -> new Value(payload);
      case Result.Versions _ -> new Versions(PageCodec.readVersions(payload));
      case Result.Entries _ -> new Entries(PageCodec.readEntries(payload));
      case Result.Numbers _ -> new Numbers(PageCodec.readNumbers(payload));
      case Result.Lines _ -> new Lines(PageCodec.readLines(payload));
      case Result.Done _, Result.Number _, Result.Found _, Result.Absent _ -> new Plain(result);
    };
  }

  private FormatException unexpected(String expected) {
    return new FormatException("message: result of a call", expected, result());
  }

  /** Requires that the call has returned nothing. */
  default Outcome nothing() {
    if (this instanceof Plain(Result.Done _)) {
      return this;
    }
    throw unexpected("Done");
  }

  /** Returns the number that the call has returned. */
  default long number() {
    if (this instanceof Plain(Result.Number(var value))) {
      return value;
    }
    throw unexpected("Number");
  }

  /** Returns the version that the call has found. */
  default Optional<Version> found() {
    if (this instanceof Plain(Result.Found(var version))) {
      return version;
    }
    throw unexpected("Found");
  }

  /** Returns the value that the call has read. */
  default Optional<MemorySegment> value() {
    return switch (this) {
      case Value value -> Optional.of(value.bytes);
      case Plain(Result.Absent _) -> Optional.empty();
      default -> throw unexpected("Value or Absent");
    };
  }

  /** Returns the versions that the call has read. */
  default Page<Version> versions() {
    if (this instanceof Versions found) {
      return found.page;
    }
    throw unexpected("Versions");
  }

  /** Returns the values that the call has read. */
  default Page<Entry> entries() {
    if (this instanceof Entries found) {
      return found.page;
    }
    throw unexpected("Entries");
  }

  /** Returns the numbers that the call has read. */
  default List<Long> numbers() {
    if (this instanceof Numbers found) {
      return found.numbers;
    }
    throw unexpected("Numbers");
  }

  /** Returns the texts that the call has read. */
  default List<String> lines() {
    if (this instanceof Lines found) {
      return found.lines;
    }
    throw unexpected("Lines");
  }
}
