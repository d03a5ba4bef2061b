package page_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	devpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/page"
	"github.com/schedgen/schedgen/server/page/pagetest"
)

// patience is how long something may take to appear, on a busy machine.
const patience = time.Minute

// A session is the page in a browser, beside a made-up service.
type session struct {
	t       *testing.T
	ctx     context.Context
	service *pagetest.Server
	url     string

	mu       sync.Mutex
	requests []string // addresses
	console  []string // errors, warnings and what nothing caught
}

// setup says how the browser is to be.
type setup struct {
	width, height int64 // 0 is 1280 by 900
	scale         float64
	phone         bool
	dark          bool
	reducedMotion bool
	hash          string
	script        string // runs before the page's own
}

// findBrowser returns the path of a Chromium, or skips the test.
func findBrowser(t *testing.T) string {
	t.Helper()
	if os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("SCHEDGEN_TEST_EMULATED=1: no browser is started")
	}
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium on this machine: the page is not tried in a browser")
	return ""
}

// browser is the one that all tests share, each with a window of its own.
var browser struct {
	once   sync.Once
	ctx    context.Context
	cancel []context.CancelFunc
	err    error
}

func startBrowser(t *testing.T, path string) context.Context {
	t.Helper()
	browser.once.Do(func() {
		allocator, cancel := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(path),
			chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless, chromedp.NoSandbox,
			chromedp.DisableGPU, chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en-GB"))
		ctx, stop := chromedp.NewContext(allocator)
		browser.ctx, browser.cancel = ctx, []context.CancelFunc{stop, cancel}
		browser.err = chromedp.Do(ctx)
	})
	if browser.err != nil {
		t.Fatalf("chromium does not start: %v", browser.err)
	}
	return browser.ctx
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, cancel := range browser.cancel {
		cancel()
	}
	os.Exit(code)
}

// browse opens the page. At the end of the test, nothing may have been said on the
// console, and nothing asked of another host.
func browse(t *testing.T, o pagetest.Options, with setup) *session {
	t.Helper()
	parent := startBrowser(t, findBrowser(t))
	s := newSession(t, o)
	// A context of its own has storage of its own.
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	s.ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	t.Cleanup(s.checkQuiet)
	if err := chromedp.Listen(s.ctx, s.listen); err != nil {
		t.Fatal(err)
	}
	go s.listenConsole()
	s.prepare(with)
	s.do(chromedp.Navigate(s.url + with.hash))
	return s
}

// usual is the service of most tests: its epochs are derived once.
var usual = sync.OnceValues(func() (*pagetest.Server, error) { return newService(pagetest.Options{}) })

func newService(o pagetest.Options) (*pagetest.Server, error) {
	p, err := page.New()
	if err != nil {
		return nil, err
	}
	o.Page = p
	return pagetest.New(o)
}

// topLeader returns the identity and the first vote account of the leader of the
// usual service with the i-th most stake.
func topLeader(t *testing.T, i int) (identity, vote string) {
	t.Helper()
	service, err := usual()
	if err != nil {
		t.Fatal(err)
	}
	return service.TopLeader(i)
}

func newSession(t *testing.T, o pagetest.Options) *session {
	t.Helper()
	var service *pagetest.Server
	var err error
	if reflect.DeepEqual(o, pagetest.Options{}) {
		if service, err = usual(); err == nil {
			service = service.Anew()
		}
	} else {
		service, err = newService(o)
	}
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	return &session{t: t, service: service, url: server.URL + "/"}
}

func (s *session) prepare(with setup) {
	s.t.Helper()
	scheme, motion := "light", "no-preference"
	if with.dark {
		scheme = "dark"
	}
	if with.reducedMotion {
		motion = "reduce"
	}
	width, height, scale := max(with.width, 0), max(with.height, 0), max(with.scale, 1)
	if width == 0 {
		width, height = 1280, 900
	}
	call(s, network.Enable, network.EnableParams{})
	call(s, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Berlin"})
	call(s, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}})
	call(s, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: scale, Mobile: with.phone,
	})
	if with.phone {
		call(s, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true})
	}
	const watch = `
		window.violations = [];
		document.addEventListener("securitypolicyviolation", (event) => {
			violations.push(event.violatedDirective + " " + event.blockedURI);
		});
	`
	call(s, devpage.AddScriptToEvaluateOnNewDocument, devpage.AddScriptToEvaluateOnNewDocumentParams{Source: watch + with.script})
}

func (s *session) listen(event any) {
	if sent, ok := event.(*network.EventRequestWillBeSent); ok {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, sent.Request.URL)
	}
}

func (s *session) listenConsole() {
	for message, err := range chromedp.Console(s.ctx) {
		if err != nil {
			return
		}
		switch message.Type {
		case "error", "warning", chromedp.ConsoleException:
			s.mu.Lock()
			s.console = append(s.console, fmt.Sprintf("%s: %s (%s:%d)", message.Type, message.Text, message.URL, message.Line))
			s.mu.Unlock()
		}
	}
}

// expectConsole takes what was said so far as expected, as long as all of it is
// about what the service answered.
func (s *session) expectConsole(about string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rest []string
	for _, line := range s.console {
		if !strings.Contains(line, about) {
			rest = append(rest, line)
		}
	}
	s.console = rest
}

// checkQuiet checks that the page kept to itself.
func (s *session) checkQuiet() {
	violations, err := chromedp.Run(s.ctx, chromedp.Evaluate[[]string]("window.violations"))
	if err != nil {
		s.t.Errorf("asking for violations: %v", err)
	}
	for _, violation := range violations {
		s.t.Errorf("violation of the security policy: %s", violation)
	}
	own, err := url.Parse(s.url)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, address := range s.requests {
		if u, err := url.Parse(address); err != nil || u.Host != own.Host && u.Scheme != "data" {
			s.t.Errorf("request to elsewhere: %s", address)
		}
	}
	for _, line := range s.console {
		s.t.Errorf("console: %s", line)
	}
}

func (s *session) do(steps ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	if err := chromedp.Do(s.ctx, steps...); err != nil {
		s.t.Fatal(err)
	}
}

// wait waits until an expression is true.
func (s *session) wait(expression string) {
	s.t.Helper()
	s.waitFor(expression, patience)
}

func (s *session) waitFor(expression string, patience time.Duration) {
	s.t.Helper()
	_, err := chromedp.Run(s.ctx, chromedp.Poll[chromedp.Void](expression,
		chromedp.WithPollingInterval(50*time.Millisecond), chromedp.WithPollingTimeout(patience)))
	if err != nil {
		s.shot("failed")
		s.t.Fatalf("waiting for %s: %v", expression, err)
	}
}

// drawn waits until the picture of an epoch is drawn.
func (s *session) drawn() {
	s.t.Helper()
	s.wait(`document.getElementById("plot-state").textContent === "" && document.getElementById("pixels").width > 1 && document.getElementById("legend").children.length > 0`)
}

func (s *session) text(selector string) string {
	s.t.Helper()
	return eval[string](s, fmt.Sprintf(`document.querySelector(%q)?.textContent ?? "(none)"`, selector))
}

func (s *session) hash() string {
	s.t.Helper()
	return eval[string](s, "location.hash")
}

func eval[T any](s *session, expression string) T {
	s.t.Helper()
	v, err := chromedp.Run(s.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		s.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// press sends keys one after another.
func (s *session) press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		s.do(chromedp.KeyEvent(key))
	}
}

// shotOfView writes a picture of what is in the window.
func (s *session) shotOfView(name string) {
	s.t.Helper()
	s.write(name, chromedp.CaptureScreenshot())
}

// shot writes a picture of the whole page to the folder SCHEDGEN_SCREENSHOTS, where
// that is set.
func (s *session) shot(name string) {
	s.t.Helper()
	s.write(name, chromedp.FullScreenshot(100))
}

func (s *session) write(name string, take chromedp.Action[[]byte]) {
	s.t.Helper()
	folder := os.Getenv("SCHEDGEN_SCREENSHOTS")
	if folder == "" {
		return
	}
	png, err := chromedp.Run(s.ctx, take)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644)
	}
	if err != nil {
		s.t.Errorf("screenshot %s: %v", name, err)
	}
}

// call runs a command of the DevTools protocol.
func call[P, R any](s *session, command cdp.Command[P, R], params P) R {
	s.t.Helper()
	r, err := chromedp.Call(s.ctx, command, params)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// normal returns an epoch schedule without warm-up.
func normal(slots uint64) schedule.EpochSchedule {
	return schedule.EpochSchedule{SlotsPerEpoch: slots, LeaderScheduleSlotOffset: slots}
}
