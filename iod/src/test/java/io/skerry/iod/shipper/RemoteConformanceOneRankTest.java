package io.skerry.iod.shipper;

/** One rank, which computes and serves. */
class RemoteConformanceOneRankTest extends RemoteConformance {
  @Override
  int ranks() {
    return 1;
  }

  @Override
  ShipperOptions options() {
    return ShipperOptions.DEFAULT;
  }
}
