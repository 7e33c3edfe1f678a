package io.skerry.jobs.inspect;

import io.skerry.jobs.report.Json;
import io.skerry.value.Value;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * Prints values as JSON: one object with the members {@code name}, {@code shape}, {@code type} and
 * {@code values}. The member {@code values} is a flat list in row-major order. Numbers that JSON
 * cannot represent are strings: {@code "NaN"}, {@code "Infinity"}, {@code "-Infinity"}.
 */
final class ValueJson implements ValuePrinter {
  private final PrintWriter out;
  private String before = "";

  ValueJson(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(String name, String shape, String type) {
    String head = Json.object().with("name", name).with("shape", shape).with("type", type).text();
    out.print(head.substring(0, head.length() - 1) + ", \"values\": [");
    before = "";
  }

  @Override
  public void value(long[] coordinates, Optional<Value> value) {
    out.print(before);
    out.print(value.map(ValueJson::of).orElse(Json.Nothing.NULL).text());
    before = ", ";
  }

  @Override
  public void end() {
    out.println("]}");
    out.flush();
  }

  private static Json of(Value value) {
    return switch (value) {
      case Value.Whole(var number) -> new Json.Big(number);
      case Value.Bits(var bits, _) -> new Json.Big(bits);
      case Value.Time(var time) -> new Json.Big(time);
      case Value.Real real -> of(real);
      case Value.Complex(Value.Real real, Value.Real imaginary) ->
          Json.object().with("r", of(real)).with("i", of(imaginary));
      case Value.Text(String text) -> new Json.Text(text);
      case Value.Opaque opaque -> new Json.Text(opaque.toString());
      case Value.Enumerated(long number, Optional<String> name) ->
          name.<Json>map(Json.Text::new).orElseGet(() -> new Json.Whole(number));
      case Value.Compound(List<Value.Field> fields) -> {
        Json.Members object = Json.object();
        for (Value.Field field : fields) {
          object = object.with(field.name(), of(field.value()));
        }
        yield object;
      }
      case Value.Array(_, List<Value> elements) -> list(elements);
      case Value.Sequence(List<Value> elements) -> list(elements);
      case Value.NullReference _ -> Json.Nothing.NULL;
      case Value.ObjectReference(Value.Target target) -> new Json.Text(target.toString());
      case Value.RegionReference region ->
          Json.object()
              .with("object", region.target().toString())
              .with("region", String.valueOf(region.region()));
      case Value.AttributeReference(Value.Target target, String name) ->
          Json.object().with("object", target.toString()).with("attribute", name);
    };
  }

  private static Json of(Value.Real real) {
    return Double.isFinite(real.value())
        ? new Json.Real(real.value())
        : new Json.Text(real.toString());
  }

  private static Json list(List<Value> values) {
    return new Json.Items(values.stream().map(ValueJson::of).toList());
  }
}
