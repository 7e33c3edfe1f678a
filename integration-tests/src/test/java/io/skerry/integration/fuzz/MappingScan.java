package io.skerry.integration.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Lists the header fields of global heap objects, and the fields of objects that are mappings of
 * virtual datasets: counts, flags and indices; names; selections.
 */
final class MappingScan {
  private static final String SELECTION = "selection.";
  private static final String NAME = "name";
  private static final int CHECKSUM = 4;

  /** Limit of the listed entries, since every field is a Java object. */
  private static final int MOST_ENTRIES = 64;

  private final byte[] file;
  private final FieldWidths widths;

  MappingScan(byte[] file, FieldWidths widths) {
    this.file = file;
    this.widths = widths;
  }

  /** Returns the structures in the global heap collection at an address. */
  List<Structure> within(int collection) {
    List<Structure> found = new ArrayList<>();
    FieldReader head = new FieldReader(file, widths, collection + 8, file.length);
    long size = head.one("size", FieldKind.LENGTH, 'L');
    int end = (int) Math.min(file.length, collection + Math.min(size, file.length));
    List<Field> heads = new ArrayList<>();
    int at = collection + 16;
    while (at + 16 <= end) {
      FieldReader object = new FieldReader(file, widths, at, end);
      long index = object.one("index", FieldKind.COUNT, '2');
      object.read("references:c2 reserved:u4");
      long bytes = object.one("size", FieldKind.LENGTH, 'L');
      heads.addAll(object.fields());
      if (index == 0 || bytes < 0 || bytes > end - at - 16) {
        break;
      }
      found.addAll(mappings(at + 16, at + 16 + (int) bytes));
      at += 16 + Math.ceilDiv((int) bytes, 8) * 8;
    }
    if (!heads.isEmpty()) {
      found.add(new Structure("heap objects", collection, end, end, heads));
    }
    return found;
  }

  /** Returns the structures of an object if it ends with a checksum, as mappings do. */
  private List<Structure> mappings(int from, int end) {
    int to = end - CHECKSUM;
    boolean whole =
        to > from + 1 + widths.length()
            && new ChecksumField(ChecksumField.Form.LOOKUP3, from, to, to).isRight(file);
    if (!whole || file[from] < 0 || file[from] > 1) {
      return List.of();
    }
    FieldReader in = new FieldReader(file, widths, from, to);
    in.read("version:v1");
    long entries = Math.min(in.one("entries", FieldKind.COUNT, 'L'), MOST_ENTRIES);
    for (int entry = 0; entry < entries; entry++) {
      int flags = file[from] == 1 ? (int) in.one("flags", FieldKind.FLAGS, '1') : 0;
      if ((flags & 4) == 0) {
        source(in, (flags & 1) != 0);
      }
      source(in, (flags & 2) != 0);
      selection(in);
      selection(in);
    }
    List<Structure> found = new ArrayList<>();
    add(found, "mappings", from, to, in, name -> !name.equals(NAME) && !name.startsWith(SELECTION));
    add(found, "source names", from, to, in, name -> name.equals(NAME));
    add(found, "mapped selections", from, to, in, name -> name.startsWith(SELECTION));
    return found;
  }

  private static void add(
      List<Structure> found,
      String kind,
      int from,
      int to,
      FieldReader in,
      Predicate<String> wanted) {
    List<Field> fields = in.fields().stream().filter(f -> wanted.test(f.name())).toList();
    if (!fields.isEmpty()) {
      found.add(new Structure(kind, from, to, to, fields));
    }
  }

  private static void source(FieldReader in, boolean shared) {
    if (shared) {
      in.read("entry:cL");
      return;
    }
    while (!in.isAtEnd() && in.one(NAME, FieldKind.TEXT, '1') != 0) {}
  }

  private static void selection(FieldReader in) {
    int type = (int) number(in, "type", FieldKind.TYPE, 4);
    int version = (int) number(in, "version", FieldKind.VERSION, 4);
    if (type != 2) {
      number(in, "reserved", FieldKind.UNKNOWN, 8);
      return;
    }
    int width = version == 2 ? 8 : 4;
    boolean regular = version == 2;
    if (version == 1) {
      number(in, "reserved", FieldKind.UNKNOWN, 4);
      number(in, "length", FieldKind.LENGTH, 4);
    } else {
      regular = (number(in, "flags", FieldKind.FLAGS, 1) & 1) != 0;
      if (version == 2) {
        number(in, "length", FieldKind.LENGTH, 4);
      } else {
        width = (int) number(in, "width", FieldKind.LENGTH, 1);
      }
    }
    long rank = number(in, "rank", FieldKind.COUNT, 4);
    long numbers = regular ? 4 * rank : 2 * rank * number(in, "blocks", FieldKind.COUNT, width);
    for (long i = 0; i < numbers && !in.isAtEnd(); i++) {
      number(in, "coordinate", FieldKind.DIMENSION, width);
    }
  }

  private static long number(FieldReader in, String name, FieldKind kind, int width) {
    return in.one(SELECTION + name, kind, (char) ('0' + width));
  }
}
